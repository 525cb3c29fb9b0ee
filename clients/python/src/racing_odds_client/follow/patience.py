"""How long a follower goes on through failures: with growing waits, until nothing was answered for too long."""

from __future__ import annotations

from ..errors import ApiError, is_transient
from ..http.attempts import backoff
from ..settings import Settings


class Patience:
    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._failures = 0
        self._answered_at = settings.now()

    def answered(self) -> None:
        """Also when the program has worked on what was answered."""
        self._failures = 0
        self._answered_at = self._settings.now()

    def failed(self, error: Exception, first_wait: float) -> None:
        """Waits before the next attempt, or raises the error if there should be none."""
        if not is_transient(error):
            raise error
        self._failures += 1
        least = (error.retry_after_seconds or 0) if isinstance(error, ApiError) else 0
        wait = max(least, backoff(first_wait, self._failures, self._settings.random))
        if self._settings.now() + wait - self._answered_at > self._settings.give_up_after_seconds:
            raise error
        self._settings.sleep(wait)
