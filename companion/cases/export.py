"""Export cases as plain files: pictures, one file of labels, and the calibrations."""

from __future__ import annotations

import json
import shutil
import zipfile
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from companion.cases.case import Case
from companion.cases.case_folder import CaseFolder
from companion.errors import Unknown

FORMAT = "puluc-cases-1"


def export(folder: CaseFolder, cases: Sequence[Case], out: Path) -> None:
    """Write the cases to ``out``, a new folder or .zip file. docs/cases.md describes its contents.

    Raises Unknown if ``out`` exists or cannot be written; then nothing is left of it.
    """
    if out.exists():
        raise Unknown(f"'{out}' exists already. Name a new folder or a new .zip file.")
    parts = list(_parts(folder, cases))
    fresh = out.with_name(f".{out.name}.new")
    try:
        if out.suffix.lower() == ".zip":
            with zipfile.ZipFile(fresh, "w") as archive:
                for name, content in parts:
                    archive.writestr(name, content)
        else:
            for name, content in parts:
                (fresh / name).parent.mkdir(parents=True, exist_ok=True)
                (fresh / name).write_bytes(content)
        fresh.rename(out)
    except OSError as error:
        shutil.rmtree(fresh, ignore_errors=True)
        with suppress(OSError):
            fresh.unlink(missing_ok=True)
        raise Unknown(f"The cases cannot be written to '{out}': {error.strerror}.") from error


def label(case: Case) -> dict[str, Any]:
    """The entry of a case in labels.json."""
    return {
        "id": case.id,
        "file": _file(case),
        "at": case.at,
        "sticks": case.sticks,
        "calibration": f"calibrations/{case.calibration}",
        "marked": case.marked,
        "read": case.read,
        "reason": case.reason or None,
        "confidence": round(case.confidence, 4),
        "lots": [
            {
                "x": round(lot.x, 1),
                "y": round(lot.y, 1),
                "angle": round(lot.angle, 1),
                "outline": [[round(x, 1), round(y, 1)] for x, y in lot.outline],
                "face": face.value,
                "read_face": lot.face.value,
            }
            for lot, face in zip(case.lots, case.faces, strict=True)
        ],
    }


def _file(case: Case) -> str:
    return f"{case.id}{Path(case.picture).suffix}"


def _parts(folder: CaseFolder, cases: Sequence[Case]) -> Iterator[tuple[str, bytes]]:
    labels = {"format": FORMAT, "cases": [label(case) for case in cases]}
    yield "labels.json", json.dumps(labels, indent=1).encode()
    for case in cases:
        yield _file(case), folder.picture(case).read_bytes()
    for name in sorted({case.calibration for case in cases}):
        for file in sorted(folder.calibration(name).glob("*.*")):
            yield f"calibrations/{name}/{file.name}", file.read_bytes()
