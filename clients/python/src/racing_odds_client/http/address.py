"""The address of a call, from the path of its operation. Lists are one value with commas."""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import date, datetime, timezone
from typing import Any
from urllib.parse import quote, urlencode


def address_of(path: str, values: Mapping[str, Any], query: Mapping[str, Any]) -> str:
    """Refuses a path parameter that would lead to another path, and a time without its zone (ValueError)."""

    def filled(match: re.Match[str]) -> str:
        value = values.get(match[1])
        text = "" if value is None else text_of(value)
        if text in ("", ".", ".."):
            raise ValueError(f"The path parameter {match[1]} is missing.")
        return quote(text, safe="")

    target = re.sub(r"\{(\w+)\}", filled, path)
    search = urlencode([(name, text_of(value)) for name, value in query.items() if value is not None])
    return f"{target}?{search}" if search else target


def text_of(value: object) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, datetime):
        return instant_of(value)
    if isinstance(value, date):
        return value.isoformat()
    if isinstance(value, (list, tuple, set, frozenset)):
        return ",".join(text_of(one) for one in value)
    return str(value)


def instant_of(at: datetime) -> str:
    if at.tzinfo is None:
        raise ValueError("A datetime without a time zone is no instant: use datetime.now(timezone.utc).")
    return at.astimezone(timezone.utc).isoformat().replace("+00:00", "Z")
