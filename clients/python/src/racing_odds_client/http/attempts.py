"""When a call is sent again. It must never be charged or carried out twice: a call with a price whose outcome is
unknown is repeated only under an Idempotency-Key, as often and as long as the service joins such calls."""

from __future__ import annotations

from collections.abc import Callable

from ..errors import ApiError, OddsConnectionError
from ..settings import Settings
from .call import Call

MOST_UNDER_ONE_KEY = 3
"""The service charges three calls of one key within 60 seconds once; a later arrival must still be within them."""
LAST_UNDER_ONE_KEY = 45.0
FIRST_WAIT = 0.5
LONGEST_BACKOFF = 30.0


class Attempts:
    def __init__(self, settings: Settings, call: Call) -> None:
        self._settings = settings
        self._has_key = call.once
        self._may_repeat = call.listed and (call.method == "GET" or call.once)
        self._only_refused = call.streams_rows
        self._sent = 0
        self._sent_at = 0.0
        self._unknown_since: float | None = None
        """When the first attempt without a known outcome was sent."""

    def sending(self) -> None:
        self._sent += 1
        self._sent_at = self._settings.now()

    def wait_after(self, error: Exception) -> float | None:
        """Seconds before the next attempt; None: there is none, and the error is the result."""
        may_repeat = self._may_repeat and not (self._only_refused and is_unknown(error))
        if not may_repeat or self._sent > self._settings.max_retries:
            return None
        wait = _wait_for(error, self._sent, self._settings.random)
        if wait is None or wait > self._settings.max_wait_seconds:
            return None
        if is_unknown(error) and self._unknown_since is None:
            self._unknown_since = self._sent_at
        if self._has_key and self._unknown_since is not None:
            is_too_late = self._settings.now() + wait - self._unknown_since > LAST_UNDER_ONE_KEY
            if is_too_late or self._sent >= MOST_UNDER_ONE_KEY:
                return None
        return wait


def is_unknown(error: Exception) -> bool:
    """A proxy’s 502 or 504 may hide an answer."""
    return isinstance(error, OddsConnectionError) or (isinstance(error, ApiError) and error.status in (502, 504))


def _wait_for(error: Exception, failures: int, random: Callable[[], float]) -> float | None:
    if is_unknown(error):
        return backoff(FIRST_WAIT, failures, random)
    if not isinstance(error, ApiError) or error.status not in (429, 503):
        return None
    return max(error.retry_after_seconds or 0, backoff(FIRST_WAIT, failures, random))


def backoff(first: float, failures: int, random: Callable[[], float]) -> float:
    """Twice as long after each failure, up to half a minute, and varied down to its half."""
    longest = max(first, LONGEST_BACKOFF)
    return min(longest, first * 2.0 ** min(failures - 1, 10)) * (0.5 + random() / 2)
