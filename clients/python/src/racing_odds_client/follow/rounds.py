"""Requests at even distances, whatever fails between them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TypeVar

from ..settings import Settings, at_least
from .patience import Patience

T = TypeVar("T")


def rounds(settings: Settings, every_seconds: float, request: Callable[[], T | None]) -> Iterator[T]:
    """Yields what `request` returns, but not None. every_seconds: from the beginning of one request to that of the
    next."""
    every = at_least("every_seconds", 0, every_seconds)
    patience = Patience(settings)
    while True:
        begun_at = settings.now()
        try:
            answer = request()
        except Exception as error:
            patience.failed(error, max(every, 1))
            continue
        if answer is not None:
            yield answer
        patience.answered()
        settings.sleep(max(0, begun_at + every - settings.now()))
