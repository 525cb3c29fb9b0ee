"""The settings of a client, checked once. The key is in no print of them."""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from dataclasses import dataclass, field
from urllib.parse import urlsplit


@dataclass(frozen=True)
class Settings:
    api_key: str | None = field(repr=False)
    base_url: str
    timeout: float
    max_retries: int
    max_wait_seconds: float
    give_up_after_seconds: float
    now: Callable[[], float] = field(repr=False)
    random: Callable[[], float] = field(repr=False)
    new_idempotency_key: Callable[[], str] = field(repr=False)
    sleep: Callable[[float], object] = field(repr=False)


def key_of(given: str | None) -> str | None:
    """A header with another character would be an error whose text has the whole value."""
    text = given if given is not None else os.environ.get("ODDS_API_KEY", "")
    key = text.strip()
    if key == "":
        return None
    if not re.fullmatch(r"[!-~]+", key):
        raise ValueError("api_key has characters that no key has.")
    return key


def base_of(given: str | None) -> str:
    text = given or os.environ.get("ODDS_API_URL") or ""
    if text == "":
        raise ValueError("base_url is missing: pass it, or set ODDS_API_URL.")
    url = urlsplit(text)
    is_plain = url.scheme in ("http", "https") and url.hostname and not (url.username or url.password)
    if not is_plain or "?" in text or "#" in text or "@" in url.netloc:
        raise ValueError("base_url must be an http or https address without user, query or fragment.")
    return text.rstrip("/")


def at_least(name: str, least: float, value: float) -> float:
    if not value >= least:
        raise ValueError(f"{name} must be a number of at least {least:g}.")
    return value
