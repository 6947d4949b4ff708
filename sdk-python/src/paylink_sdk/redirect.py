"""
The signed result that a customer's browser brings back: a JWT of the service (RFC 7519, Ed25519). Its claims count
only after signature, type, issuer, audience and time were verified, in that order.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timezone
from decimal import Decimal
from typing import Any, TypeAlias, Union
from urllib.parse import parse_qs, urlsplit

import httpx

from ._keys import KeySet, ed25519_keys_of, fetch_steps, from_base64url, is_signed_by, key_set_containing
from ._options import read_base_url
from ._run import AsyncRunner, Runner
from ._steps import Steps
from .errors import SignatureError
from .types import PaymentStatus

Address: TypeAlias = Union[str, Mapping[str, Union[str, Sequence[str]]]]
"""The address with which a customer returned, or its parameters."""


@dataclass(frozen=True)
class Expected:
    """Your own order, as you stored it: given values are compared with the result."""

    customer_order_id: str | None = None
    amount: float | Decimal | None = None
    """In major units, as you sent it."""
    currency: str | None = None


@dataclass(frozen=True)
class RedirectResult:
    """The verified content of a result."""

    payment_link_code: str
    customer_order_id: str
    amount: float
    """In major units, as you requested it."""
    currency: str
    status: PaymentStatus
    """The status of the payment when this was signed: ship once, when it is `paid`."""
    signed_at: datetime
    expires_at: datetime


def verify_redirect(
    address: Address,
    *,
    base_url: str,
    company_id: str,
    expect: Expected | None = None,
    key_set: KeySet | None = None,
    leeway_seconds: float = 30,
    now: datetime | None = None,
) -> RedirectResult:
    """
    Verifies the address with which a customer returned, or its parameters. Returns the signed content. Raises
    SignatureError when it is not genuine, not for you, not valid now or not your order, and the errors of a call
    when the keys cannot be fetched.
    """
    steps = verify_steps(address, base_url, company_id, expect, key_set, leeway_seconds, now)
    with httpx.Client() as client:
        return Runner(client).run(steps)


async def verify_redirect_async(
    address: Address,
    *,
    base_url: str,
    company_id: str,
    expect: Expected | None = None,
    key_set: KeySet | None = None,
    leeway_seconds: float = 30,
    now: datetime | None = None,
) -> RedirectResult:
    """The same, without blocking while the keys are fetched."""
    steps = verify_steps(address, base_url, company_id, expect, key_set, leeway_seconds, now)
    async with httpx.AsyncClient() as client:
        return await AsyncRunner(client).run(steps)


def fetch_key_set(base_url: str) -> KeySet:
    """Fetches the key set of a service, with which webhooks of the kind `v1a` are verified."""
    with httpx.Client() as client:
        return Runner(client).run(fetch_steps(base_url))


def verify_steps(
    address: Address,
    base_url: str,
    company_id: str,
    expect: Expected | None = None,
    key_set: KeySet | None = None,
    leeway_seconds: float = 30,
    now: datetime | None = None,
) -> Steps[RedirectResult]:
    issuer = read_base_url(base_url)
    claims = yield from read_signed(result_in(address), issuer, key_set)
    if claims.get("iss") != issuer or claims.get("aud") != company_id:
        raise SignatureError(
            "not_for_you",
            "The result is of another service or for another company. base_url must be exactly the address in BASE_URL.",
        )
    result = read_result(claims)
    check_time(result, now or datetime.now(timezone.utc), leeway_seconds)
    compare(result, expect or Expected())
    return result


def result_in(address: Address) -> str:
    if isinstance(address, str):
        try:
            parameters: Mapping[str, Any] = parse_qs(urlsplit(address).query, keep_blank_values=True)
        except ValueError:
            raise SignatureError("malformed", "This is not an address.") from None
    else:
        parameters = address
    found = parameters.get("paymentResult", [])
    values = [found] if isinstance(found, str) else list(found)
    if len(values) != 1:
        raise SignatureError("malformed", "The address has no parameter paymentResult, or several.")
    return str(values[0])


def read_signed(jwt: str, issuer: str, key_set: KeySet | None) -> Steps[dict[str, Any]]:
    """Verifies form, type and signature. Returns the claims, which may still be for someone else."""
    parts = jwt.split(".")
    head, body, tail = parts if len(parts) == 3 else ("", "", "")
    header, claims, signature = json_of(head), json_of(body), from_base64url(tail)
    key_id = header.get("kid") if header else None
    if not header or claims is None or not signature or not isinstance(key_id, str):
        raise SignatureError("malformed", "The result is not a signed JWT.")
    # Accept no other algorithm from the header, and no other token type signed with the same keys.
    if header.get("alg") != "EdDSA" or header.get("typ") != "payment-result+jwt" or "crit" in header:
        raise SignatureError("not_for_you", "This is a token, but not the result of a payment.")
    used = key_set if key_set is not None else (yield from key_set_containing(key_id, issuer))
    keys = ed25519_keys_of(used, key_id)
    if not keys:
        raise SignatureError("unknown_key", "The service has no such key.")
    content = f"{head}.{body}".encode()
    if not any(is_signed_by(key, signature, content) for key in keys):
        raise SignatureError("wrong_signature", "The result was not signed by the service, or was changed.")
    return claims


def json_of(part: str) -> dict[str, Any] | None:
    content = from_base64url(part)
    if not content:
        return None
    try:
        value = json.loads(content.decode())
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) else None


def read_result(claims: Mapping[str, Any]) -> RedirectResult:
    texts = [claims.get(name) for name in ("sub", "customerOrderId", "currency", "status")]
    numbers = [claims.get(name) for name in ("amount", "iat", "exp")]
    are_numbers = all(isinstance(one, (int, float)) and not isinstance(one, bool) for one in numbers)
    if not all(isinstance(one, str) for one in texts) or not are_numbers:
        raise SignatureError("malformed", "The result lacks a claim.")
    return RedirectResult(
        payment_link_code=claims["sub"],
        customer_order_id=claims["customerOrderId"],
        amount=claims["amount"],
        currency=claims["currency"],
        status=claims["status"],
        signed_at=datetime.fromtimestamp(claims["iat"], timezone.utc),
        expires_at=datetime.fromtimestamp(claims["exp"], timezone.utc),
    )


def check_time(result: RedirectResult, now: datetime, leeway_seconds: float) -> None:
    if (now - result.expires_at).total_seconds() >= leeway_seconds:
        raise SignatureError("expired", "The result is too old. Ask the service for the payment.")
    if (result.signed_at - now).total_seconds() > leeway_seconds:
        raise SignatureError(
            "too_early", "The result is of the future: is the clock of this machine right?"
        )


def compare(result: RedirectResult, expect: Expected) -> None:
    amount = float(expect.amount) if expect.amount is not None else None
    pairs = {
        "customer_order_id": (expect.customer_order_id, result.customer_order_id),
        "amount": (amount, result.amount),
        "currency": (expect.currency, result.currency),
    }
    for name, (expected, found) in pairs.items():
        if expected is not None and expected != found:
            raise SignatureError("differs", f"The result is genuine, but its {name} is not the one expected.")
