"""Reads server-sent events from the bytes of a stream, as the standard describes them (WHATWG HTML, 9.2)."""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterator
from dataclasses import dataclass

from ..errors import FormatError

LONGEST = 16 * 1024 * 1024
"""Characters of one event."""

_END = re.compile(r"\r\n\r\n|\n\n|\r\r(?!\n)")


@dataclass(frozen=True)
class Block:
    event: str = "message"
    data: str | None = None
    """None: the block has no event."""
    id: str | None = None
    retry: float | None = None
    """Seconds."""


class EventReader:
    def __init__(self) -> None:
        self._decoder = codecs.getincrementaldecoder("utf-8-sig")(errors="replace")
        self._text = ""
        self._searched = 0
        """Before it there is no end of a block."""

    def read(self, part: bytes) -> Iterator[Block]:
        """The blocks that these bytes complete."""
        self._text += self._decoder.decode(part)
        while (block := self._next()) is not None:
            yield _block_of(block)
        if len(self._text) > LONGEST:
            raise FormatError("An event is too long.")

    def _next(self) -> str | None:
        found = _END.search(self._text, self._searched)
        # The end may lie across two parts.
        self._searched = 0 if found else max(0, len(self._text) - 3)
        if not found:
            return None
        block = self._text[: found.start()]
        self._text = self._text[found.end() :]
        return block


def _block_of(text: str) -> Block:
    fields: dict[str, str] = {}
    for line in re.split(r"\r\n|\n|\r", text):
        name, _, value = line.partition(":")
        value = value.removeprefix(" ")
        if name == "data" and "data" in fields:
            fields["data"] += f"\n{value}"
        elif name != "":
            fields[name] = value
    sent_id, retry = fields.get("id"), fields.get("retry", "")
    return Block(
        event=fields.get("event") or "message",
        data=fields.get("data"),
        id=None if sent_id is None or "\0" in sent_id else sent_id,
        retry=int(retry) / 1000 if re.fullmatch(r"[0-9]{1,9}", retry) else None,
    )
