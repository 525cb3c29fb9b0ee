"""What a call can fail with. No text of an error has the key, a header or a query."""

from __future__ import annotations

import builtins
from typing import Any


class OddsError(Exception):
    """Every error of this package."""


class ApiError(OddsError):
    """The service refused or failed, and its answer is a problem. Branch on `code`; show `detail` to people."""

    status: int
    code: str | None
    """None if another server on the way answered, such as a proxy."""
    detail: str
    request_id: str | None
    errors: list[dict[str, Any]]
    """What is wrong with the request, part by part."""
    retry_after_seconds: float | None
    required_plan: str | None
    """The cheapest plan that allows the request."""
    problem: dict[str, Any]
    """The whole body, or what is known of it."""

    def __init__(self, problem: dict[str, Any]) -> None:
        self.problem = problem
        self.status = problem["status"]
        self.code = problem.get("code")
        self.detail = problem.get("detail") or f"The answer was a {self.status} without a problem."
        self.request_id = problem.get("request_id")
        self.errors = problem.get("errors") or []
        self.retry_after_seconds = problem.get("retry_after_seconds")
        self.required_plan = problem.get("required_plan")
        super().__init__(f"{self.status} {self.code or 'without a code'}: {self.detail}")

    def __reduce__(self) -> tuple[type[ApiError], tuple[dict[str, Any]]]:
        """An error of another process arrives whole."""
        return type(self), (self.problem,)


class InvalidRequestError(ApiError):
    """400, 406, 415, 422: the request itself is wrong."""


class AuthenticationError(ApiError):
    """401: no key, or one that the service does not know."""


class CreditsError(ApiError):
    """402: the credits of the month are used up."""


class ForbiddenError(ApiError):
    """403: the plan, the scope or the address does not allow the request."""


class NotFoundError(ApiError):
    """404, 410."""


class ConflictError(ApiError):
    """409: more than one race matches, the stream was replaced, or the state does not allow it."""


class RateLimitError(ApiError):
    """429."""


class UnavailableError(ApiError):
    """5xx."""


_BY_STATUS: dict[int, type[ApiError]] = {
    400: InvalidRequestError,
    401: AuthenticationError,
    402: CreditsError,
    403: ForbiddenError,
    404: NotFoundError,
    406: InvalidRequestError,
    409: ConflictError,
    410: NotFoundError,
    415: InvalidRequestError,
    422: InvalidRequestError,
    429: RateLimitError,
}


def api_error_of(problem: dict[str, Any]) -> ApiError:
    status: int = problem["status"]
    return _BY_STATUS.get(status, UnavailableError if status >= 500 else ApiError)(problem)


class OddsConnectionError(OddsError, builtins.ConnectionError):
    """No whole answer came: whether the call was made is unknown. Also a `ConnectionError` of Python."""


class OddsTimeoutError(OddsConnectionError, builtins.TimeoutError):
    """None came in time. Also a `TimeoutError` of Python."""


class FormatError(OddsError):
    """What came is not in the form of the service: sending the request again would not help."""


class WebhookVerificationError(OddsError):
    """A post that the service did not sign, or whose signature is too old."""


def is_transient(error: BaseException) -> bool:
    """Whether the same request may succeed later: who follows or polls goes on."""
    if isinstance(error, OddsConnectionError):
        return True
    return isinstance(error, ApiError) and (error.status == 429 or error.status >= 500)
