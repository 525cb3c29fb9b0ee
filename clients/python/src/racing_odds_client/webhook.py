"""Verifies a post by the rules of Standard Webhooks, in constant time."""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import json
import re
import time
from collections.abc import Callable, Iterable
from typing import Any, Protocol, cast

from .errors import WebhookVerificationError
from .generated.schemas import WebhookEvent

MOST_SIGNATURES = 8
"""Two secrets sign while one is being replaced; no sender has reason for more than these."""


class WebhookHeaders(Protocol):
    """As a server has them: a mapping of texts, or of lists of texts."""

    def items(self) -> Iterable[tuple[str, Any]]: ...


def verify_webhook(
    secret: str,
    headers: WebhookHeaders,
    body: bytes | str,
    *,
    tolerance_seconds: float = 300,
    now: Callable[[], float] = time.time,
) -> WebhookEvent:
    """The event, if `secret` (`whsec_…`) has signed the post; raises a WebhookVerificationError if not.

    body: as it was received, not parsed and written again. tolerance_seconds: how far
    the time of the post may be from now, in seconds since 1970.
    """
    sent_id, timestamp, signatures = (_header(headers, f"webhook-{name}") for name in ("id", "timestamp", "signature"))
    if not sent_id or not timestamp or not signatures:
        raise WebhookVerificationError("The headers of a webhook are missing.")
    if not re.fullmatch(r"[0-9]{1,12}", timestamp) or not abs(now() - int(timestamp)) <= tolerance_seconds:
        raise WebhookVerificationError("The time of the post is too far from now.")
    content = body.encode("utf-8") if isinstance(body, str) else bytes(body)
    expected = hmac.digest(_key_of(secret), f"{sent_id}.{timestamp}.".encode() + content, hashlib.sha256)
    for signature in signatures.split(" ")[:MOST_SIGNATURES]:
        sent = _decoded(signature[3:]) if signature.startswith("v1,") else None
        if sent is not None and hmac.compare_digest(sent, expected):
            return cast(WebhookEvent, json.loads(content))
    raise WebhookVerificationError("No signature of the post is of this secret.")


def _header(headers: WebhookHeaders, name: str) -> str | None:
    value: Any = next((value for one, value in headers.items() if one.lower() == name), None)
    return value if value is None or isinstance(value, str) else " ".join(value)


def _key_of(secret: str) -> bytes:
    key = _decoded(secret.removeprefix("whsec_"))
    if not key:
        raise ValueError("The secret is not one of a webhook: whsec_ and base64.")
    return key


def _decoded(text: str) -> bytes | None:
    """Of base64; None: it is none."""
    try:
        return base64.b64decode(text + "=" * (-len(text) % 4), validate=True)
    except (binascii.Error, ValueError):
        return None
