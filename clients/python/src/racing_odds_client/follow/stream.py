"""Follows `GET /v1/racing/changes/stream`: across breaks no event is lost, and none is passed on twice. Events up to the
next id are passed on together: then the reader has what `next-to-go` reports."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, cast

import httpx

from ..errors import FormatError, OddsConnectionError, api_error_of
from ..generated.schemas import ChangesEvent
from ..http.exchange import Exchange, Request, parts_of
from ..settings import Settings, at_least
from .event_reader import Block, EventReader
from .patience import Patience

RECONNECT = 2.0
"""Seconds, until the stream sets them."""
MOST_IN_A_BATCH = 100_000
"""Events before their id. A whole state is one batch."""


@dataclass(frozen=True)
class StreamBatch:
    id: str
    """To go on later, pass it as `last_event_id`."""
    events: list[ChangesEvent]
    """Apply them in their order. Kinds that you do not know may come later: leave them out."""


@dataclass
class _Place:
    id: str
    wait: float = RECONNECT


def follow_stream(
    settings: Settings, exchange: Exchange, address: str, last_event_id: str | None, silence_seconds: float
) -> Iterator[StreamBatch]:
    """Raises when the stream ends for good, as the event `error` states it."""
    patience = Patience(settings)
    silence = at_least("silence_seconds", 1, silence_seconds)
    place = _Place(last_event_id or "")
    while True:
        try:
            # Closed before the wait: the service counts a stream while it is open.
            response = exchange.open(_request_of(address, place.id, silence), lambda headers: None)
            try:
                yield from _batches_of(response, place, patience)
            finally:
                response.close()
            raise OddsConnectionError("The stream ended.")
        except Exception as error:
            patience.failed(error, place.wait)


def _batches_of(response: httpx.Response, place: _Place, patience: Patience) -> Iterator[StreamBatch]:
    """Of one connection. Events without their id are nothing: after a break they come again."""
    _require_events(response)
    reader = EventReader()
    events: list[ChangesEvent] = []
    # What comes before the first id shows no stream that works: an error may follow.
    is_live = False
    for part in parts_of(response):
        for block in reader.read(part):
            place.wait = place.wait if block.retry is None else block.retry
            if block.data is not None:
                events.append(_event_of(block, block.data))
            if len(events) > MOST_IN_A_BATCH:
                raise FormatError("Too many events came without an id.")
            if block.id is None:
                continue
            place.id = block.id
            is_live = True
            if block.data is not None:
                batch = StreamBatch(block.id, events)
                events = []
                yield batch
        if is_live:
            patience.answered()


def _require_events(response: httpx.Response) -> None:
    """A page of a proxy is no stream, and would be read again and again."""
    kind = response.headers.get("Content-Type", "")
    if not kind.startswith("text/event-stream"):
        raise FormatError(f"The answer is {kind or 'without a type'}, no stream.")


def _request_of(address: str, last_id: str, silence: float) -> Request:
    headers = {"Accept": "text/event-stream", **({"Last-Event-ID": last_id} if last_id else {})}
    return Request(method="GET", address=address, headers=headers, timeout=silence)


def _event_of(block: Block, text: str) -> ChangesEvent:
    data = _json_in(text)
    if block.event == "error":
        known = data if isinstance(data, dict) else {}
        raise api_error_of({**known, "status": known.get("status", 500)})
    event = {"event": block.event, **({} if block.id is None else {"id": block.id}), "data": data}
    return cast(ChangesEvent, event)


def _json_in(text: str) -> Any:
    try:
        return json.loads(text)
    except ValueError as error:
        raise FormatError("The data of an event is not JSON.") from error
