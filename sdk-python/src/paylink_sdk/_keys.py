"""
The public keys of a service: cached for five minutes, and fetched again, at most once a minute, when a key is
missing. Only Ed25519 keys are used.
"""

from __future__ import annotations

import base64
import binascii
import re
import time
from typing import Any, TypeAlias

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

from ._options import read_base_url
from ._routes import ROUTES
from ._steps import HttpRequest, Limits, Steps, send
from .errors import PaylinkError

KeySet: TypeAlias = dict[str, Any]
"""A key set (RFC 7517) as `/.well-known/jwks.json` returns it."""

CACHE_TTL = 5 * 60
LEAST_AGE = 60
LIMITS = Limits(timeout=10.0, deadline=20.0, max_retries=2)

_cache: dict[str, tuple[KeySet, float]] = {}


def fetch_steps(base_url: str) -> Steps[KeySet]:
    route = ROUTES["getKeySet"]
    request = HttpRequest(
        name="getKeySet",
        method=route.method,
        url=read_base_url(base_url) + route.path,
        headers={"accept": "application/json"},
        content=None,
        is_safe_to_repeat=True,
        is_json=True,
    )
    answer = yield from send(request, LIMITS, time.monotonic() + LIMITS.deadline)
    if not is_key_set(answer.value):
        raise PaylinkError("unreadable_answer", "The key set of the service is none.")
    key_set: KeySet = answer.value
    return key_set


def is_key_set(value: object) -> bool:
    keys = value.get("keys") if isinstance(value, dict) else None
    return isinstance(keys, list) and all(isinstance(key, dict) for key in keys)


def key_set_containing(key_id: str, base_url: str) -> Steps[KeySet]:
    """The key set of a service, from the cache unless it is old or lacks the key with this ID."""
    known = _cache.get(base_url)
    if known is not None:
        key_set, fetched_at = known
        has_key = any(key.get("kid") == key_id for key in key_set["keys"])
        if time.monotonic() - fetched_at < (CACHE_TTL if has_key else LEAST_AGE):
            return key_set
    fetched = yield from fetch_steps(base_url)
    _cache[base_url] = (fetched, time.monotonic())
    return fetched


def ed25519_keys_of(key_set: KeySet, key_id: str | None = None) -> list[str]:
    """The public parts of the Ed25519 keys of a set, optionally with this key ID."""
    return [
        key["x"]
        for key in key_set["keys"]
        if key.get("kty") == "OKP"
        and key.get("crv") == "Ed25519"
        and key.get("use") in (None, "sig")
        and (key_id is None or key.get("kid") == key_id)
        and isinstance(key.get("x"), str)
    ]


def is_signed_by(public_part: str, signature: bytes, content: bytes) -> bool:
    key = from_base64url(public_part)
    if key is None or len(key) != 32:
        return False
    try:
        Ed25519PublicKey.from_public_bytes(key).verify(signature, content)
    except InvalidSignature:
        return False
    return True


def from_base64(text: str) -> bytes | None:
    """Decodes base64; None for text that is not canonical, so that a changed signature is never the same one."""
    try:
        decoded = base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError):
        return None
    return decoded if base64.b64encode(decoded).decode() == text else None


def from_base64url(text: str) -> bytes | None:
    if not re.fullmatch(r"[A-Za-z0-9_-]*", text):
        return None
    standard = text.replace("-", "+").replace("_", "/")
    return from_base64(standard + "=" * (-len(standard) % 4))


def to_base64url(content: bytes) -> str:
    return base64.urlsafe_b64encode(content).decode().rstrip("=")
