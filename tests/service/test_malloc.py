"""Threads share a few malloc arenas, and free memory goes back to the system."""

import ctypes
import subprocess
import sys

import pytest

from companion.service.malloc import ARENAS

FILL = """
import ctypes, sys, threading
from companion.service.malloc import limit_arenas
if sys.argv[1] == "shared":
    limit_arenas()
met = threading.Barrier(9)
def work():
    kept = [bytearray(700) for _ in range(2000)]
    met.wait()
    met.wait()
threads = [threading.Thread(target=work) for _ in range(8)]
for thread in threads:
    thread.start()
met.wait()
libc = ctypes.CDLL(None)
libc.fdopen.restype = ctypes.c_void_p
out = ctypes.c_void_p(libc.fdopen(1, b"w"))
libc.malloc_info(0, out)
libc.fflush(out)
met.wait()
"""


@pytest.mark.skipif(not hasattr(ctypes.CDLL(None), "malloc_info"), reason="only the GNU C library tells of its pools")
def test_all_threads_share_a_few_pools() -> None:
    """By default each thread would get its own."""
    pools = [
        subprocess.run(
            [sys.executable, "-c", FILL, how], capture_output=True, text=True, check=True, timeout=60
        ).stdout.count("<heap nr=")
        for how in ("own", "shared")
    ]

    assert pools[0] > ARENAS >= pools[1]


HOLD = """
from pathlib import Path
from companion.service.malloc import release_free
def megabytes():
    status = Path("/proc/self/status").read_text().splitlines()
    return next(int(line.split()[1]) // 1024 for line in status if line.startswith("VmRSS"))
kept = [bytearray(60_000) for _ in range(2000)]
del kept[:-1]
before = megabytes()
release_free()
print(before - megabytes())
"""


@pytest.mark.skipif(not hasattr(ctypes.CDLL(None), "malloc_trim"), reason="only the GNU C library gives memory back")
def test_free_memory_goes_back_to_the_system() -> None:
    """What is still in use above it would keep it otherwise: 120 MB here."""
    freed = subprocess.run([sys.executable, "-c", HOLD], capture_output=True, text=True, check=True, timeout=60).stdout

    assert int(freed) > 60
