"""Pages one after another: the next one as the header `Link` names it (RFC 8288)."""

from __future__ import annotations

import re
from collections.abc import Mapping
from urllib.parse import parse_qsl, urlsplit


def next_query_of(headers: Mapping[str, str]) -> dict[str, str] | None:
    """The query of the next page, for the same path: the key goes nowhere else. None: this was the last one."""
    found = re.search(r'<([^<>]*)>\s*;\s*rel="?next"?', headers.get("Link", ""))
    return dict(parse_qsl(urlsplit(found[1]).query, keep_blank_values=True)) if found else None
