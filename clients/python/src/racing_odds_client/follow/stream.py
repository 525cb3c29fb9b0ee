"""Follows `GET /v1/racing/changes/stream`, and `GET /v1/racing/replay` to its end: across breaks no event is lost, and
none is passed on twice. Events up to the next id are passed on together: then the reader has what `next-to-go` reports."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import httpx

from ..errors import FormatError, OddsConnectionError, api_error_of
from ..generated.schemas import ChangesEvent, ReplayEvent
from ..http.attempts import is_unknown
from ..http.exchange import Exchange, Request, parts_of
from ..settings import Settings, at_least
from .event_reader import Block, EventReader
from .last_sign import LastSign
from .patience import Patience

RECONNECT = 2.0
"""Seconds, until the stream sets them."""
MOST_IN_A_BATCH = 100_000
"""Events before their id. A whole state is one batch."""
FREE_FOR = 540.0
"""Seconds after the last sign of a replay within which it goes on for free; the service allows ten minutes."""


@dataclass(frozen=True)
class StreamBatch:
    id: str
    """To go on later, pass it as `last_event_id`."""
    events: list[ChangesEvent]
    """Apply them in their order. Kinds that you do not know may come later: leave them out."""


@dataclass(frozen=True)
class ReplayBatch:
    id: str
    """To go on later, pass it as `last_event_id`."""
    events: list[ReplayEvent]
    """Apply them in their order. Kinds that you do not know may come later: leave them out."""


@dataclass(frozen=True)
class Target:
    """A stream of events, and from where on it is read."""

    address: str
    last_event_id: str | None
    silence_seconds: float
    is_paid_ahead: bool = False
    """A connection is charged for all that follows, unless it goes on from an id of the last ten minutes."""


@dataclass
class _Place:
    id: str
    sign: LastSign
    wait: float = RECONNECT


def follow_stream(settings: Settings, exchange: Exchange, target: Target) -> Iterator[StreamBatch]:
    """Raises when the stream ends for good, as the event `error` states it."""
    for found, events in _followed(settings, exchange, target):
        yield StreamBatch(found, events)


def follow_replay(settings: Settings, exchange: Exchange, target: Target) -> Iterator[ReplayBatch]:
    """Ends after the event `end`."""
    for found, events in _followed(settings, exchange, target):
        yield ReplayBatch(found, events)
        if any(one["event"] == "end" for one in events):
            return


def _followed(settings: Settings, exchange: Exchange, target: Target) -> Iterator[tuple[str, list[Any]]]:
    """Each id with the events up to it."""
    patience = Patience(settings)
    silence = at_least("silence_seconds", 1, target.silence_seconds)
    place = _Place(target.last_event_id or "", LastSign(settings.now()))
    while True:
        try:
            # Closed before the wait: the service counts a stream while it is open.
            response = exchange.open(_request_of(target.address, place.id, silence), lambda headers: None)
            try:
                yield from _batches_of(response, place, patience, settings.now)
            finally:
                response.close()
            raise OddsConnectionError("The stream ended.")
        except Exception as error:
            if target.is_paid_ahead and _would_pay_again(place, error, settings.now()):
                raise
            patience.failed(error, place.wait)
            # The wait counts too.
            if target.is_paid_ahead and _would_pay_again(place, error, settings.now()):
                raise


def _would_pay_again(place: _Place, error: Exception, now: float) -> bool:
    return now - place.sign.at > FREE_FOR if place.id else is_unknown(error)


def _batches_of(
    response: httpx.Response, place: _Place, patience: Patience, now: Callable[[], float]
) -> Iterator[tuple[str, list[Any]]]:
    """Of one connection. Events without their id are nothing: after a break they come again."""
    _require_events(response)
    reader = EventReader()
    events: list[Any] = []
    # What comes before the first batch shows no stream that works: an error may follow.
    is_live = False
    asked = now()
    place.sign.answered(asked)
    for part in parts_of(response):
        place.sign.read(asked, now())
        for block in reader.read(part):
            place.wait = place.wait if block.retry is None else block.retry
            if block.data is not None:
                events.append(_event_of(block, block.data))
            if len(events) > MOST_IN_A_BATCH:
                raise FormatError("Too many events came without an id.")
            if block.id is None:
                continue
            place.id = block.id
            if block.data is not None:
                is_live = True
                batch, events = events, []
                yield block.id, batch
        if is_live:
            patience.answered()
        asked = now()


def _require_events(response: httpx.Response) -> None:
    """A page of a proxy is no stream, and would be read again and again."""
    kind = response.headers.get("Content-Type", "")
    if not kind.startswith("text/event-stream"):
        raise FormatError(f"The answer is {kind or 'without a type'}, no stream.")


def _request_of(address: str, last_id: str, silence: float) -> Request:
    headers = {"Accept": "text/event-stream", **({"Last-Event-ID": last_id} if last_id else {})}
    return Request(method="GET", address=address, headers=headers, timeout=silence)


def _event_of(block: Block, text: str) -> dict[str, Any]:
    data = _json_in(text)
    if block.event == "error":
        known = data if isinstance(data, dict) else {}
        raise api_error_of({**known, "status": known.get("status", 500)})
    return {"event": block.event, **({} if block.id is None else {"id": block.id}), "data": data}


def _json_in(text: str) -> Any:
    try:
        return json.loads(text)
    except ValueError as error:
        raise FormatError("The data of an event is not JSON.") from error
