"""The client of a Paylink service: payment links, refunds, and the verification of redirects and webhooks."""

from . import types
from ._base import OMITTED, CallOptions, Model
from ._calls import VERSION as __version__
from ._client import AsyncPaylink, Paylink
from ._keys import KeySet
from ._options import Credentials
from ._pages import AsyncFeed, AsyncPagedList, Feed, PagedList
from .errors import (
    PaylinkApiError,
    PaylinkConnectionError,
    PaylinkError,
    PaylinkTimeoutError,
    SignatureError,
    SignatureFault,
)
from .redirect import Expected, RedirectResult, fetch_key_set, verify_redirect, verify_redirect_async
from .types import WebhookEvent
from .webhooks import UnknownWebhookEvent, WebhookKey, WebhookMessage, verify_webhook

__all__ = [
    "OMITTED",
    "AsyncFeed",
    "AsyncPagedList",
    "AsyncPaylink",
    "CallOptions",
    "Credentials",
    "Expected",
    "Feed",
    "KeySet",
    "Model",
    "PagedList",
    "Paylink",
    "PaylinkApiError",
    "PaylinkConnectionError",
    "PaylinkError",
    "PaylinkTimeoutError",
    "RedirectResult",
    "SignatureError",
    "SignatureFault",
    "UnknownWebhookEvent",
    "WebhookEvent",
    "WebhookKey",
    "WebhookMessage",
    "__version__",
    "fetch_key_set",
    "types",
    "verify_redirect",
    "verify_redirect_async",
    "verify_webhook",
]
