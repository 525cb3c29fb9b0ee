"""What an answer reports about the credits and limits of its key. Without a limit: infinity. Not reported: None."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True)
class Credits:
    cost: float
    """Of the last answer."""
    used: float
    limit: float
    remaining: float
    is_approaching_limit: bool
    """From 80 percent on."""
    upgrade_plan: str | None
    """The cheapest plan for your use, if the balance is short."""


@dataclass(frozen=True)
class RateLimit:
    limit: float
    """Requests per minute."""
    remaining: float
    reset_seconds: float


def credits_of(headers: Mapping[str, str]) -> Credits | None:
    numbers = [_number(headers.get(f"X-Credits-{name}")) for name in ("Cost", "Used", "Limit", "Remaining")]
    cost, used, limit, remaining = numbers
    if cost is None or used is None or limit is None or remaining is None:
        return None
    is_approaching = headers.get("X-Credits-Warning") == "approaching-limit"
    return Credits(cost, used, limit, remaining, is_approaching, headers.get("X-Upgrade-Plan"))


def rate_limit_of(headers: Mapping[str, str]) -> RateLimit | None:
    limit, remaining, reset = (_number(headers.get(f"X-RateLimit-{name}")) for name in ("Limit", "Remaining", "Reset"))
    if limit is None or remaining is None or reset is None:
        return None
    return RateLimit(limit, remaining, reset)


def _number(text: str | None) -> float | None:
    if text == "unlimited":
        return math.inf
    return int(text) if text is not None and re.fullmatch(r"[0-9]+", text) else None
