"""
Verifies webhooks in the form of Standard Webhooks 1.0.0: HMAC-SHA256 with a shared secret (`v1`), or Ed25519 with
the published keys (`v1a`). Pass the raw bytes of the body: JSON that was parsed and written again is a different
text.
"""

from __future__ import annotations

import hashlib
import hmac
import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timezone
from typing import Any, Protocol, TypeAlias, Union, cast

from ._base import FROM_SERVICE, Model
from ._keys import KeySet, ed25519_keys_of, from_base64, is_key_set, is_signed_by
from .errors import PaylinkError, SignatureError
from .types import WEBHOOK_EVENTS, WebhookEvent

__all__ = [
    "SignatureError",
    "UnknownWebhookEvent",
    "WebhookEvent",
    "WebhookKey",
    "WebhookMessage",
    "verify_webhook",
]

RawBody: TypeAlias = Union[str, bytes, bytearray, memoryview]
WebhookKey: TypeAlias = Union[str, Sequence[str], KeySet]
"""The endpoint's secret, `whsec_…`; during a rotation, both; or the service's key set, for `v1a`."""


class Headers(Protocol):
    """The headers of any framework."""

    def items(self) -> Any: ...


class UnknownWebhookEvent(Model):
    """An event of a type that this version does not know."""

    id: str
    type: str
    data: dict[str, Any]


@dataclass(frozen=True)
class WebhookMessage:
    id: str
    """The ID of the event, the same for every delivery of it: process each ID once."""
    sent_at: datetime
    payload: WebhookEvent
    """The event: its `type` decides what `data` has. At run time it may also be an UnknownWebhookEvent."""


def verify_webhook(
    raw_body: RawBody,
    headers: Headers,
    key: WebhookKey,
    *,
    tolerance_seconds: float = 300,
    now: datetime | None = None,
) -> WebhookMessage:
    """
    Verifies a webhook and returns its event. Raises SignatureError when the webhook is not genuine, was changed,
    or is too old or too new, and PaylinkError for a mistake of the program: the code `parsed_body` if the body is
    not the one that was received, `invalid_option` if the key is not valid.
    """
    keys = read_key(key)
    body = bytes_of(raw_body)
    message_id = header_of(headers, "webhook-id")
    timestamp = header_of(headers, "webhook-timestamp")
    signatures = header_of(headers, "webhook-signature").split(" ")
    if not re.fullmatch(r"[0-9]{1,11}", timestamp):
        raise SignatureError("malformed", "The header webhook-timestamp is not a time in seconds.")
    content = f"{message_id}.{timestamp}.".encode() + body
    if not is_signed(signatures, content, keys):
        raise SignatureError("wrong_signature", describe_mismatch(signatures, keys))
    sent_at = datetime.fromtimestamp(int(timestamp), timezone.utc)
    check_time(sent_at, tolerance_seconds, now or datetime.now(timezone.utc))
    return WebhookMessage(message_id, sent_at, parse(body))


def read_key(key: WebhookKey) -> KeySet | list[bytes]:
    if is_key_set(key):
        return cast(KeySet, key)
    secrets: list[Any] = [key] if isinstance(key, str) or key is None else list(key)
    return [read_secret(secret) for secret in secrets or [None]]


def read_secret(secret: object) -> bytes:
    if secret is None or secret == "":
        raise PaylinkError(
            "invalid_option",
            "The webhook secret is missing: give the whsec_… that creating the endpoint returned. Is its variable set?",
        )
    content = from_base64(secret.removeprefix("whsec_")) if isinstance(secret, str) else None
    if content is None or not 24 <= len(content) <= 64:
        raise PaylinkError("invalid_option", "A webhook secret is whsec_ and 24 to 64 bytes in base64.")
    return content


def is_signed(signatures: Sequence[str], content: bytes, keys: KeySet | list[bytes]) -> bool:
    for signature in signatures:
        version, _, text = signature.partition(",")
        decoded = from_base64(text)
        if decoded is None or version != version_of(keys):
            continue
        if isinstance(keys, dict):
            if any(is_signed_by(part, decoded, content) for part in ed25519_keys_of(keys)):
                return True
        elif any(hmac.compare_digest(decoded, sign_with(secret, content)) for secret in keys):
            return True
    return False


def sign_with(secret: bytes, content: bytes) -> bytes:
    return hmac.new(secret, content, hashlib.sha256).digest()


def version_of(keys: KeySet | list[bytes]) -> str:
    return "v1a" if isinstance(keys, dict) else "v1"


def describe_mismatch(signatures: Sequence[str], keys: KeySet | list[bytes]) -> str:
    version = version_of(keys)
    if not any(signature.startswith(f"{version},") for signature in signatures):
        return f"The message has no signature of the kind {version}, which this key verifies."
    is_published = isinstance(keys, dict)
    wrong = "the key set is not of this service" if is_published else "the secret is of another endpoint"
    return f"No signature is right: {wrong}, or the body is not exactly the one received (pass the raw body)."


def header_of(headers: Headers, name: str) -> str:
    found = [value for key, value in headers.items() if str(key).lower() == name]
    if len(found) == 1 and isinstance(found[0], str) and found[0] != "":
        return found[0]
    raise SignatureError("malformed", f"The header {name} is missing, or there are several.")


def check_time(sent_at: datetime, tolerance_seconds: float, now: datetime) -> None:
    age = (now - sent_at).total_seconds()
    if age > tolerance_seconds:
        raise SignatureError(
            "expired",
            f"The message was sent {age:.0f} s ago, and {tolerance_seconds:g} s are allowed: "
            "was it recorded earlier, or is the clock of this machine wrong?",
        )
    if age < -tolerance_seconds:
        raise SignatureError(
            "too_early", "The message is of the future: is the clock of this machine right?"
        )


def bytes_of(body: object) -> bytes:
    if isinstance(body, str):
        return body.encode()
    if isinstance(body, (bytes, bytearray, memoryview)):
        return bytes(body)
    hint = "Pass the raw body, as text or bytes, before anything parses it as JSON"
    if body is None:
        raise PaylinkError("parsed_body", f"There is no body: it was not read. {hint}.")
    raise PaylinkError(
        "parsed_body", f"The body was already parsed, and the signature covers its exact bytes. {hint}."
    )


def parse(body: bytes) -> WebhookEvent:
    try:
        value = json.loads(body.decode())
    except ValueError:
        raise SignatureError("malformed", "The message is genuine, but its body is not JSON.") from None
    if not isinstance(value, Mapping) or not isinstance(value.get("type"), str):
        raise SignatureError("malformed", "The message is genuine, but it is not an event.")
    model: type[Model] = WEBHOOK_EVENTS.get(value["type"], UnknownWebhookEvent)
    return cast(WebhookEvent, model.model_validate(value, context=FROM_SERVICE))
