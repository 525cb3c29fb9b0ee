"""The client: calls by group and name, and the loops over them."""

from __future__ import annotations

import random as _random
import time
import uuid
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from datetime import datetime, timezone
from types import TracebackType
from typing import Any, ParamSpec, TypeVar, cast

import httpx

from .follow.changes import ChangesBatch, changes_since
from .follow.rounds import rounds
from .follow.stream import ReplayBatch, StreamBatch, Target, follow_replay, follow_stream
from .generated.groups import Groups
from .generated.schemas import RacingChangesStreamFilters, RacingReplayFilters
from .http.address import address_of, instant_of
from .http.call import Call, Group
from .http.exchange import Exchange, parts_of
from .http.metering import Credits, RateLimit, credits_of, rate_limit_of
from .http.send import Sender
from .pages import next_query_of
from .settings import Settings, at_least, base_of, key_of
from .version import __version__

P = ParamSpec("P")
R = TypeVar("R")

STREAM = "/v1/racing/changes/stream"
REPLAY = "/v1/racing/replay"
AGENT = f"racing-odds-client-python/{__version__}"


class OddsClient(Groups):
    """Calls the service. Threads may share one; `close()` or `with` closes its connections.

    api_key: default: the environment variable ODDS_API_KEY. Without one, only what needs no key can be called.
    base_url: such as `https://api.example.com`; default: the environment variable ODDS_API_URL.
    timeout: seconds of one attempt, for its first byte and for the whole of it.
    max_retries: attempts after the first one; 0: none.
    max_wait_seconds: a longer wait before a retry is an error instead.
    give_up_after_seconds: a loop that gets no answer for so long raises the last error.
    transport: of httpx, for a proxy or certificates of your own.
    now, random, sleep, new_idempotency_key: a monotonic clock in seconds, at least 0 and below 1, a wait, a new name.
    """

    def __init__(
        self,
        api_key: str | None = None,
        base_url: str | None = None,
        *,
        timeout: float = 30,
        max_retries: int = 2,
        max_wait_seconds: float = 30,
        give_up_after_seconds: float = 300,
        transport: httpx.BaseTransport | None = None,
        now: Callable[[], float] = time.monotonic,
        random: Callable[[], float] = _random.random,
        sleep: Callable[[float], object] = time.sleep,
        new_idempotency_key: Callable[[], str] = lambda: str(uuid.uuid4()),
    ) -> None:
        self._settings = Settings(
            api_key=key_of(api_key),
            base_url=base_of(base_url),
            timeout=at_least("timeout", 0.001, timeout),
            max_retries=int(at_least("max_retries", 0, max_retries)),
            max_wait_seconds=at_least("max_wait_seconds", 0, max_wait_seconds),
            give_up_after_seconds=at_least("give_up_after_seconds", 0, give_up_after_seconds),
            now=now,
            random=random,
            sleep=sleep,
            new_idempotency_key=new_idempotency_key,
        )
        self._credits: Credits | None = None
        self._rate_limit: RateLimit | None = None
        self._exchange = Exchange(self._settings, transport, AGENT)
        self._sender = Sender(self._settings, self._exchange, self._metered)
        super().__init__(lambda call: self._sender.answer(call).body)

    def __repr__(self) -> str:
        return f"OddsClient({self._settings.base_url!r})"

    def __enter__(self) -> OddsClient:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        self._exchange.close()

    @property
    def credits(self) -> Credits | None:
        """As the last answer that had them reported them; None: none had yet."""
        return self._credits

    @property
    def rate_limit(self) -> RateLimit | None:
        """As the last answer that had it reported it; None: none had yet."""
        return self._rate_limit

    def pages(self, operation: Callable[P, R], /, *args: P.args, **kwargs: P.kwargs) -> Iterator[R]:
        """The pages of a list, from the one that the parameters name to the last:
        `client.pages(client.racing_archive.closing_lines, from_="2026-11-20")`."""
        return self._pages(_call_of(operation, args, kwargs, "paged"))

    def poll(
        self, operation: Callable[P, R], every_seconds: float, /, *args: P.args, **kwargs: P.kwargs
    ) -> Iterator[R]:
        """The answer now, and again whenever anything but its ages has changed. An answer without a change is free."""
        call = _call_of(operation, args, kwargs, "polled")
        etag: str | None = None

        def request() -> Any:
            nonlocal etag
            answer = self._sender.answer(replace(call, headers={"If-None-Match": etag} if etag else {}))
            if answer.status == 304:
                return None
            etag = answer.headers.get("ETag")
            return answer.body

        return rounds(self._settings, every_seconds, request)

    def text(self, operation: Callable[P, object], /, *args: P.args, **kwargs: P.kwargs) -> str:
        """An answer as text: `client.text(client.racing_archive.closing_lines, format="csv")`."""
        return self._sender.text(_call_of(operation, args, kwargs))

    def download(self, operation: Callable[P, object], /, *args: P.args, **kwargs: P.kwargs) -> Iterator[bytes]:
        """An answer of any length, part by part, such as a bulk file. If it breaks off, the loop raises."""
        return self._download(_call_of(operation, args, kwargs))

    def request(self, method: str, path: str, *, query: Mapping[str, Any] | None = None, body: Any = None) -> Any:
        """An operation that this version does not have a method for. It is sent once, whatever happens."""
        if not path.startswith("/"):
            raise ValueError("The path begins with a slash: the key goes to no other address.")
        return self._sender.answer(Call(method.upper(), path, query=query or {}, body=body, listed=False)).body

    def follow(
        self,
        filters: RacingChangesStreamFilters | None = None,
        *,
        last_event_id: str | None = None,
        silence_seconds: float = 45,
    ) -> Iterator[StreamBatch]:
        """The stream of changes. After each batch a `Board` to which all were applied is equal to `next-to-go`.

        last_event_id: the `id` of the last batch that your program has stored, to go on from there: it is good for 30
        minutes. silence_seconds: if nothing comes for so long, not even a heartbeat, the connection is made anew.
        """
        target = Target(address_of(STREAM, {}, filters or {}), last_event_id, silence_seconds)
        return follow_stream(self._settings, self._exchange, target)

    def replay(
        self, span: RacingReplayFilters, *, last_event_id: str | None = None, silence_seconds: float = 45
    ) -> Iterator[ReplayBatch]:
        """Past races in the events of the stream, up to `end`: a `Board` takes them as it takes those of the stream.

        span: such as `{"date": "2026-11-20", "venue": "Flemington", "speed": "max"}`. It is charged before the first
        event. What breaks off goes on for free; a break after which the service would charge again is an error.
        last_event_id: the `id` of the last batch that your program has stored, with the same span.
        """
        target = Target(address_of(REPLAY, {}, span), last_event_id, silence_seconds, is_paid_ahead=True)
        return follow_replay(self._settings, self._exchange, target)

    def follow_changes(
        self,
        filters: RacingChangesStreamFilters | None = None,
        *,
        since: str | datetime | None = None,
        every_seconds: float = 10,
    ) -> Iterator[ChangesBatch]:
        """The changes since an instant, by default from now on, each once: for programs that cannot keep a stream
        open."""
        first = datetime.now(timezone.utc) if since is None else since
        given = filters or {}
        next_batch = changes_since(
            instant_of(first) if isinstance(first, datetime) else first,
            lambda from_there: self.racing.changes(**given, since=from_there),
        )
        return rounds(self._settings, every_seconds, next_batch)

    def _pages(self, call: Call) -> Iterator[Any]:
        query: Mapping[str, Any] | None = call.query
        while query is not None:
            answer = self._sender.answer(replace(call, query=query))
            query = next_query_of(answer.headers)
            yield answer.body

    def _download(self, call: Call) -> Iterator[bytes]:
        response = self._sender.opened(call)
        try:
            yield from parts_of(response)
        finally:
            response.close()

    def _metered(self, headers: Mapping[str, str]) -> None:
        self._credits = credits_of(headers) or self._credits
        self._rate_limit = rate_limit_of(headers) or self._rate_limit


def _call_of(operation: Callable[..., object], args: Any, kwargs: Any, trait: str | None = None) -> Call:
    """The call that the method of a group would send."""
    group = getattr(operation, "__self__", None)
    if not isinstance(group, Group):
        raise TypeError("Pass an operation of the client, such as client.racing.next_to_go.")
    call = cast(Call, getattr(type(group)(lambda call: call), operation.__name__)(*args, **kwargs))
    if trait and not getattr(call, trait):
        raise TypeError(f"{operation.__name__} cannot be {trait}.")
    return call
