"""One request with the right code: ``python -m tests.attack.caller HOST PORT CODE METHOD PATH [FILE]``.

Sends the file as its body. Prints one line of JSON: status, answer and the seconds that it took.
"""

from __future__ import annotations

import argparse
import http.client
import json
import sys
import time
from contextlib import closing
from pathlib import Path


def main() -> None:
    """Send the request and print the answer."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("host")
    parser.add_argument("port", type=int)
    parser.add_argument("code")
    parser.add_argument("method")
    parser.add_argument("path")
    parser.add_argument("file", nargs="?", type=Path)
    wanted = parser.parse_args()
    body = wanted.file.read_bytes() if wanted.file else None
    began = time.monotonic()
    with closing(http.client.HTTPConnection(wanted.host, wanted.port, timeout=30)) as line:
        line.request(wanted.method, wanted.path, body, {"Authorization": f"Bearer {wanted.code}"})
        answer = line.getresponse()
        report = {"status": answer.status, "answer": json.loads(answer.read()), "seconds": time.monotonic() - began}
    json.dump(report, sys.stdout)


if __name__ == "__main__":
    main()
