"""Runs the programs of a test beside the client: a line of JSON is a program, and the value of its last expression is the
answer. Everything that the client prints, logs or raises is kept, so that a test can look for a key in it.

Argument: the address of the service."""

from __future__ import annotations

import ast
import dataclasses
import io
import json
import logging
import math
import sys
import threading
import traceback
from collections.abc import Callable, Iterator
from typing import Any

import httpx
from racing_odds_client import Board, OddsClient
from racing_odds_client.errors import ApiError

(url,) = sys.argv[1:]
printed = io.StringIO()
logging.basicConfig(level=logging.DEBUG, stream=printed)


class Clock:
    """Waits take no time, and are added to its own."""

    def __init__(self) -> None:
        self.now = 0.0
        self.waits: list[float] = []
        self.at_wait: Callable[[int], object] = lambda count: None

    def sleep(self, seconds: float) -> None:
        self.now += seconds
        self.waits.append(seconds)
        self.at_wait(len(self.waits))


class Watched(httpx.BaseTransport):
    """Notes what is sent, and which answers are still open."""

    def __init__(self) -> None:
        self.inner = httpx.HTTPTransport()
        self.last_ids: list[str | None] = []
        self.answers = 0
        self.closed = 0

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        self.last_ids.append(request.headers.get("Last-Event-ID"))
        response = self.inner.handle_request(request)
        self.answers += 1
        response.stream = _Closing(response.stream, self)
        return response


class _Closing(httpx.SyncByteStream):
    def __init__(self, inner: Any, watched: Watched) -> None:
        self.inner = inner
        self.watched = watched

    def __iter__(self) -> Iterator[bytes]:
        return iter(self.inner)

    def close(self) -> None:
        self.watched.closed += 1
        self.inner.close()


class Following:
    """Follows in the background."""

    def __init__(self, batches: Iterator[Any]) -> None:
        self.board = Board()
        self.batches: list[Any] = []
        self.error: BaseException | None = None
        self.thread = threading.Thread(target=self._run, args=(batches,), daemon=True)
        self.thread.start()

    def _run(self, batches: Iterator[Any]) -> None:
        try:
            for batch in batches:
                if hasattr(batch, "events"):
                    self.board.apply(batch)
                self.batches.append(batch)
        except BaseException as error:
            self.error = error
            traceback.print_exception(error, file=printed)


def client_of(key: str, **over: Any) -> OddsClient:
    clock = over.pop("clock", Clock())
    made = {"now": lambda: clock.now, "random": lambda: 0.5, "sleep": clock.sleep, **over}
    return OddsClient(key, made.pop("base_url", url), **made)


def failure_of(call: Callable[[], object]) -> dict[str, Any]:
    try:
        call()
    except Exception as error:
        traceback.print_exception(error, file=printed)
        print(repr(error), getattr(error, "__dict__", None), file=printed)
        return described(error)
    raise AssertionError("it succeeded")


def described(error: BaseException | None) -> dict[str, Any]:
    """Its class with those above it, its text, and what an ApiError has."""
    kinds = [kind.__name__ for kind in type(error).__mro__]
    known = error.__dict__ if isinstance(error, ApiError) else {}
    return {"kinds": kinds, "message": str(error), **known}


def plain(value: Any) -> Any:
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return {one.name: plain(getattr(value, one.name)) for one in dataclasses.fields(value)}
    if isinstance(value, float) and not math.isfinite(value):
        return str(value)
    if isinstance(value, dict):
        return {str(name): plain(one) for name, one in value.items()}
    if isinstance(value, (list, tuple, set)):
        return [plain(one) for one in value]
    return value if isinstance(value, (str, int, float, bool, type(None))) else repr(value)


def run(text: str, names: dict[str, Any]) -> Any:
    program = ast.parse(text)
    last = program.body.pop()
    exec(compile(program, "<test>", "exec"), names)
    if not isinstance(last, ast.Expr):
        exec(compile(ast.Module([last], []), "<test>", "exec"), names)
        return None
    return eval(compile(ast.Expression(last.value), "<test>", "eval"), names)


names = globals()
for line in sys.stdin:
    try:
        answer = {"value": plain(run(json.loads(line), names))}
    except BaseException:
        answer = {"failed": traceback.format_exc()}
    print(json.dumps(answer), flush=True)
