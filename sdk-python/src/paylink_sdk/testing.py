"""For your tests: signs webhooks and payment results like the service, with your own keys, never a real secret."""

from __future__ import annotations

import base64
import json
import os
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timezone
from typing import Any

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from ._keys import KeySet, to_base64url
from .webhooks import read_secret, sign_with

KEY_ID = "test-key"


@dataclass(frozen=True)
class SignedWebhook:
    """A webhook as your server receives it."""

    body: str
    headers: dict[str, str]


def make_webhook_secret() -> str:
    """The secret of an endpoint that does not exist."""
    return f"whsec_{base64.b64encode(os.urandom(32)).decode()}"


def sign_webhook(
    payload: Any, secret: str, *, id: str | None = None, sent_at: datetime | None = None
) -> SignedWebhook:
    """Signs a webhook with a shared secret (`v1`)."""
    key = read_secret(secret)
    return _build(payload, "v1", lambda content: sign_with(key, content), id, sent_at)


class TestService:
    """A key pair that signs like the service."""

    __test__ = False  # not a test of pytest

    def __init__(self) -> None:
        self._key = Ed25519PrivateKey.generate()
        part = to_base64url(self._key.public_key().public_bytes_raw())
        self.key_set: KeySet = {
            "keys": [
                {"kty": "OKP", "crv": "Ed25519", "x": part, "kid": KEY_ID, "alg": "EdDSA", "use": "sig"}
            ]
        }
        """The key set that the service would publish; pass it to `verify_redirect` and `verify_webhook`."""

    def sign_webhook(
        self, payload: Any, *, id: str | None = None, sent_at: datetime | None = None
    ) -> SignedWebhook:
        """Signs a webhook with the key of the set (`v1a`)."""
        return _build(payload, "v1a", self._key.sign, id, sent_at)

    def sign_redirect(
        self,
        *,
        base_url: str,
        company_id: str,
        payment_link_code: str = "testcode00000000000000000000ab",
        customer_order_id: str = "order-1",
        amount: float = 19.99,
        currency: str = "EUR",
        status: str = "paid",
        signed_at: datetime | None = None,
    ) -> dict[str, str]:
        """The parameters of the address with which a customer would return."""
        issued_at = int((signed_at or datetime.now(timezone.utc)).timestamp())
        claims = {
            "iss": base_url,
            "aud": company_id,
            "sub": payment_link_code,
            "customerOrderId": customer_order_id,
            "amount": amount,
            "currency": currency,
            "status": status,
            "iat": issued_at,
            "exp": issued_at + 15 * 60,
        }
        header = {"alg": "EdDSA", "kid": KEY_ID, "typ": "payment-result+jwt"}
        content = ".".join(to_base64url(json.dumps(part).encode()) for part in (header, claims))
        return {
            "PaymentLinkCode": payment_link_code,
            "customerOrderId": customer_order_id,
            "status": status,
            "paymentResult": f"{content}.{to_base64url(self._key.sign(content.encode()))}",
        }


def _build(
    payload: Any,
    version: str,
    sign: Callable[[bytes], bytes],
    id: str | None,
    sent_at: datetime | None,
) -> SignedWebhook:
    body = json.dumps(payload, ensure_ascii=False)
    message_id = id or f"msg_{to_base64url(os.urandom(12))}"
    timestamp = str(int((sent_at or datetime.now(timezone.utc)).timestamp()))
    signature = sign(f"{message_id}.{timestamp}.{body}".encode())
    headers = {
        "content-type": "application/json",
        "webhook-id": message_id,
        "webhook-timestamp": timestamp,
        "webhook-signature": f"{version},{base64.b64encode(signature).decode()}",
    }
    return SignedWebhook(body, headers)
