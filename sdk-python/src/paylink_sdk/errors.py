"""Every error of the package, each with a `code` to branch on. None contains a password, a token or a key."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal, TypeAlias

SignatureFault: TypeAlias = Literal[
    "malformed", "wrong_signature", "unknown_key", "expired", "too_early", "not_for_you", "differs"
]


class PaylinkError(Exception):
    """The base class of all errors of the package."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code


class PaylinkApiError(PaylinkError):
    """The service responded with an error."""

    def __init__(
        self,
        *,
        status: int,
        code: str,
        message: str,
        errors: Sequence[dict[str, Any]] = (),
        request_id: str | None = None,
        retry_after: int | None = None,
    ) -> None:
        super().__init__(code, message)
        self.status = status
        """The HTTP status."""
        self.errors = list(errors)
        """The invalid fields or headers, each with `field` and `detail`."""
        self.request_id = request_id
        """The request ID in the service's log."""
        self.retry_after = retry_after
        """How many seconds the service asks to wait, if it does."""


class PaylinkTimeoutError(PaylinkError):
    """No response came in time: the request may or may not have been carried out."""

    def __init__(self, message: str) -> None:
        super().__init__("timeout", message)


class PaylinkConnectionError(PaylinkError):
    """The connection failed: the request may or may not have been carried out."""

    def __init__(self, message: str) -> None:
        super().__init__("connection", message)


class SignatureError(PaylinkError):
    """A message does not come from Paylink, is not for you, or is not valid now: do not act on it."""

    code: SignatureFault

    def __init__(self, code: SignatureFault, message: str) -> None:
        super().__init__(code, message)
