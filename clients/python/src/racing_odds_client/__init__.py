"""The client of the Racing Odds Service: typed calls, retries that are charged once, polling, streams and webhooks."""

from .client import OddsClient
from .errors import (
    ApiError,
    AuthenticationError,
    ConflictError,
    CreditsError,
    ForbiddenError,
    FormatError,
    InvalidRequestError,
    NotFoundError,
    OddsConnectionError,
    OddsError,
    OddsTimeoutError,
    RateLimitError,
    UnavailableError,
    WebhookVerificationError,
)
from .follow.board import Board
from .follow.changes import ChangesBatch
from .follow.stream import ReplayBatch, StreamBatch
from .frames import to_frame
from .generated import schemas
from .http.metering import Credits, RateLimit
from .version import __version__
from .webhook import verify_webhook

__all__ = [
    "ApiError",
    "AuthenticationError",
    "Board",
    "ChangesBatch",
    "ConflictError",
    "Credits",
    "CreditsError",
    "ForbiddenError",
    "FormatError",
    "InvalidRequestError",
    "NotFoundError",
    "OddsClient",
    "OddsConnectionError",
    "OddsError",
    "OddsTimeoutError",
    "RateLimit",
    "RateLimitError",
    "ReplayBatch",
    "StreamBatch",
    "UnavailableError",
    "WebhookVerificationError",
    "__version__",
    "schemas",
    "to_frame",
    "verify_webhook",
]
