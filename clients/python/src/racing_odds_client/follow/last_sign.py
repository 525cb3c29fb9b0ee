"""When the service was there for certain. What is read after the program has worked may have lain in a buffer meanwhile,
behind a connection that the service has long left: it is no sign of now."""

from __future__ import annotations

NOTICED = 1.0
"""Seconds. A shorter wait or piece of work proves nothing, and counts as none."""


class LastSign:
    at: float
    """At the earliest: never later than the service sent what was read."""

    def __init__(self, now: float) -> None:
        self.answered(now)

    def answered(self, now: float) -> None:
        """An answer to a request that was just sent."""
        self.at = now
        self._read_at = now
        self._behind = 0.0

    def read(self, asked: float, now: float) -> None:
        """A part for which the program asked at `asked`."""
        worked = asked - self._read_at
        if now - asked >= NOTICED:
            # Nothing was there when it asked.
            self._behind = 0.0
        elif worked >= NOTICED:
            self._behind += worked
        self._read_at = now
        self.at = max(self.at, asked - self._behind)
