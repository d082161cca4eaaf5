"""Options of the test run."""

import gc
import os
from collections.abc import Callable
from typing import ClassVar

import pytest
from flask import Flask
from jinja2 import BytecodeCache
from jinja2.bccache import Bucket
from werkzeug.routing import Rule

import companion  # noqa: F401 - before any test imports NumPy, as in the program: it keeps NumPy to one thread

# Every core has a test of its own; OpenCV's threads wait for one another in a busy loop, a fifteenth of the time. It
# reads this when it is imported, also in the programs that tests start.
os.environ.setdefault("OPENCV_FOR_THREADS_NUM", "1")


class SharedTemplates(BytecodeCache):
    """Compiled templates by their source's checksum: a test's application takes them from the test before."""

    def __init__(self) -> None:
        self._compiled: dict[tuple[str, str], bytes] = {}

    def load_bytecode(self, bucket: Bucket) -> None:
        if compiled := self._compiled.get((bucket.key, bucket.checksum)):
            bucket.bytecode_from_string(compiled)

    def dump_bytecode(self, bucket: Bucket) -> None:
        self._compiled[bucket.key, bucket.checksum] = bucket.bytecode_to_string()


class SharedRule(Rule):
    """A route whose function that builds its address is compiled for the first of the tests' applications."""

    _compiled: ClassVar[dict[object, Callable[..., tuple[str, str]]]] = {}

    def _compile_builder(self, append_unknown: bool = True) -> Callable[..., tuple[str, str]]:
        # The function depends on nothing else; it is given the rule.
        known = (tuple(self._trace), tuple((self.defaults or {}).items()), append_unknown)
        if known not in self._compiled:
            self._compiled[known] = super()._compile_builder(append_unknown)
        return self._compiled[known]


@pytest.fixture(scope="session", autouse=True)
def shared_applications() -> None:
    """Compiling the table's templates and routes takes ten times as long as the rest of making its application."""
    Flask.jinja_options = Flask.jinja_options | {"bytecode_cache": SharedTemplates()}
    Flask.url_rule_class = SharedRule


@pytest.fixture(scope="session", autouse=True)
def without_solved_games(tmp_path_factory: pytest.TempPathFactory) -> None:
    """Games that a table here has solved are found by every table of this computer, also by those of the tests."""
    os.environ["XDG_DATA_HOME"] = str(tmp_path_factory.mktemp("usual"))


@pytest.fixture(scope="session", autouse=True)
def remembered_lessons() -> None:
    """The same pictures teach many tests' readers; finding the lots in them takes a second."""
    from tests.remembered_lessons import remember_lessons

    remember_lessons()


def pytest_collection_finish() -> None:
    """Spare the garbage collector what collecting the tests leaves behind: a tenth of the tests' time."""
    gc.collect()
    gc.freeze()


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
