"""Options of the test run."""

import pytest

import companion  # noqa: F401 - before any test imports NumPy, as in the program: it keeps NumPy to one thread


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--kills", type=int, default=10, help="how often the running companion is killed hard")
    parser.addoption("--wheels", action="store_true", help="ask the package registry for the wheels a Pi needs")
    parser.addoption("--power-states", type=int, default=0, help="how many disks after a power cut are looked at")
    parser.addoption(
        "--fuzz-seconds",
        type=int,
        default=0,
        help="how long the interface is fuzzed, beyond 300 with --timeout 0; 0: a few requests each",
    )
