"""One request and its answer, with the key in its header and nowhere else. Redirects are not followed: they would take
the key to another address."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Generator, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import httpx

from ..errors import ApiError, OddsConnectionError, OddsTimeoutError, api_error_of
from ..settings import Settings


@dataclass(frozen=True)
class Request:
    method: str
    address: str
    """From the first slash on."""
    headers: Mapping[str, str]
    timeout: float
    body: str | None = None


OnHeaders = Callable[[Mapping[str, str]], None]


class _Key(httpx.Auth):
    """Puts the key on a request only while it is sent: afterwards no error or answer refers to it."""

    def __init__(self, key: str) -> None:
        self._key = key

    def auth_flow(self, request: httpx.Request) -> Generator[httpx.Request, httpx.Response, None]:
        request.headers["X-API-Key"] = self._key
        try:
            yield request
        finally:
            del request.headers["X-API-Key"]


class Exchange:
    def __init__(self, settings: Settings, transport: httpx.BaseTransport | None, agent: str) -> None:
        self._settings = settings
        self._auth = _Key(settings.api_key) if settings.api_key is not None else None
        self._http = httpx.Client(transport=transport, follow_redirects=False, headers={"User-Agent": agent})

    def close(self) -> None:
        self._http.close()

    def open(self, request: Request, on_headers: OnHeaders) -> httpx.Response:
        """The answer once the headers of a success or of a 304 are there: the caller closes it. Raises an ApiError or an
        OddsConnectionError."""
        built = self._http.build_request(
            request.method,
            self._settings.base_url + request.address,
            headers=dict(request.headers),
            content=request.body,
            timeout=request.timeout,
        )
        with whole():
            response = self._http.send(built, stream=True, auth=self._auth, follow_redirects=False)
        try:
            on_headers(response.headers)
            if response.is_success or response.status_code == 304:
                return response
            raise self._refusal_of(response, request.timeout)
        except BaseException:
            response.close()
            raise

    def text_of(self, response: httpx.Response, timeout: float) -> str:
        """The body, within `timeout` seconds from now."""
        late_at = self._settings.now() + timeout
        parts: list[bytes] = []
        for part in parts_of(response):
            parts.append(part)
            if self._settings.now() > late_at:
                raise OddsTimeoutError(f"The answer was not whole within {timeout:g} seconds.")
        with whole():
            return b"".join(parts).decode("utf-8")

    def json_of(self, response: httpx.Response, timeout: float) -> Any:
        """The JSON of the body; None if there is none."""
        text = self.text_of(response, timeout)
        with whole():
            return json.loads(text) if text else None

    def _refusal_of(self, response: httpx.Response, timeout: float) -> ApiError:
        """`Retry-After` and the id of the request count if the body has none: a server on the way may have answered."""
        status, headers = response.status_code, response.headers
        if status < 400:
            text = "The answer is a redirect, which is not followed. Check base_url."
            return api_error_of({"status": status, "detail": text})
        is_json = "json" in headers.get("Content-Type", "")
        problem = self.json_of(response, timeout) if is_json else {}
        known: dict[str, Any] = {}
        if re.fullmatch(r"[0-9]+", headers.get("Retry-After", "")):
            known["retry_after_seconds"] = int(headers["Retry-After"])
        if "X-Request-Id" in headers:
            known["request_id"] = headers["X-Request-Id"]
        return api_error_of({**known, **(problem if isinstance(problem, dict) else {}), "status": status})


def parts_of(response: httpx.Response) -> Iterator[bytes]:
    """The body, part by part. Only the next part is awaited, so the reader may take its time."""
    parts = response.iter_bytes()
    while True:
        with whole():
            part = next(parts, None)
        if part is None:
            return
        yield part


@contextmanager
def whole() -> Iterator[None]:
    """Whatever fails here without a refusal is an OddsConnectionError."""
    try:
        yield
    except httpx.TimeoutException as error:
        raise OddsTimeoutError("Nothing came in time.") from error
    except (httpx.HTTPError, httpx.StreamError, ValueError) as error:
        raise OddsConnectionError("No whole answer came.") from error
