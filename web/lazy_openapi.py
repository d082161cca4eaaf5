"""The OpenAPI description of the routes, generated on first request."""

from __future__ import annotations

from collections.abc import Callable
from threading import Lock
from typing import Any

from flask_openapi3.openapi import OpenAPI
from flask_openapi3.types import ParametersTuple
from flask_openapi3.utils import parse_parameters


class LazyOpenAPI(OpenAPI):
    """Validates requests as OpenAPI does, but describes no route before `api_doc` is read.

    Describing all routes takes 0.6 s of processor time, which each start of a table would wait for.
    """

    def __init__(self, *args: Any, **options: Any) -> None:
        self._undescribed: list[Callable[[], object]] = []
        self._describing = Lock()
        super().__init__(*args, **options)

    def _collect_openapi_info(self, rule: str, func: Callable[..., Any], **details: Any) -> ParametersTuple:
        collect = super()._collect_openapi_info
        self._undescribed.append(lambda: collect(rule, func, **details))
        return parse_parameters(func, doc_ui=False)

    @property
    def api_doc(self) -> dict[str, Any]:
        """The description of all routes, as OpenAPI 3.1."""
        with self._describing:
            while self._undescribed:
                self._undescribed.pop(0)()
            return super().api_doc
