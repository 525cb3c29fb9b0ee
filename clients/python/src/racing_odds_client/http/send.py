"""A call as a request, sent again as often as `Attempts` allows."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeVar

import httpx

from ..settings import Settings
from .address import address_of
from .attempts import Attempts
from .call import Call
from .exchange import Exchange, OnHeaders, Request

T = TypeVar("T")


@dataclass(frozen=True)
class Answer:
    status: int
    headers: httpx.Headers
    body: Any


class Sender:
    def __init__(self, settings: Settings, exchange: Exchange, on_headers: OnHeaders) -> None:
        self.settings = settings
        self.exchange = exchange
        self._on_headers = on_headers
        """Gets the headers of refusals too."""

    def answer(self, call: Call) -> Answer:
        def read(response: httpx.Response, timeout: float) -> Answer:
            return Answer(response.status_code, response.headers, self.exchange.json_of(response, timeout))

        return self._whole(call, read)

    def text(self, call: Call) -> str:
        return self._whole(call, self.exchange.text_of)

    def opened(self, call: Call) -> httpx.Response:
        """An answer whose body is read by the caller, who closes it. Only its beginning is repeated."""
        request = self._request_of(call)
        return self._repeated(call, lambda: self.exchange.open(request, self._on_headers))

    def _whole(self, call: Call, read: Callable[[httpx.Response, float], T]) -> T:
        """A failure of `read` is one of its attempt."""
        request = self._request_of(call)

        def attempt() -> T:
            response = self.exchange.open(request, self._on_headers)
            try:
                return read(response, request.timeout)
            finally:
                response.close()

        return self._repeated(call, attempt)

    def _repeated(self, call: Call, attempt: Callable[[], T]) -> T:
        attempts = Attempts(self.settings, call)
        while True:
            attempts.sending()
            try:
                return attempt()
            except Exception as error:
                wait = attempts.wait_after(error)
                if wait is None:
                    raise
            self.settings.sleep(wait)

    def _request_of(self, call: Call) -> Request:
        headers = dict(call.headers)
        if call.once:
            headers["Idempotency-Key"] = call.idempotency_key or self.settings.new_idempotency_key()
        if call.body is not None:
            headers["Content-Type"] = "application/json"
        return Request(
            method=call.method,
            address=address_of(call.path, call.path_values, call.query),
            headers=headers,
            body=None if call.body is None else json.dumps(call.body, allow_nan=False),
            timeout=self.settings.timeout if call.timeout is None else call.timeout,
        )
