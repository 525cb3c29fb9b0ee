"""A call as the generated methods make it, without the types of its operation."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True)
class Call:
    method: str
    path: str
    once: bool = False
    """It takes an Idempotency-Key."""
    paged: bool = False
    """Its pages name the next one."""
    polled: bool = False
    """It has an ETag."""
    file: bool = False
    """It has no JSON."""
    path_values: Mapping[str, Any] = field(default_factory=dict)
    query: Mapping[str, Any] = field(default_factory=dict)
    body: Any = None
    timeout: float | None = None
    idempotency_key: str | None = None
    headers: Mapping[str, str] = field(default_factory=dict)
    listed: bool = True
    """False: an operation that this version does not know may cost or do something each time."""

    @property
    def streams_rows(self) -> bool:
        """The service ignores the key of a stream of rows: what was lost may have been charged."""
        return self.once and self.query.get("format") not in (None, "json")


Caller = Callable[[Call], Any]


class Group:
    """The operations of one tag."""

    def __init__(self, caller: Caller) -> None:
        self._call = caller
