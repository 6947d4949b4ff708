from __future__ import annotations

import json
from datetime import datetime, timedelta, timezone
from pathlib import Path
from typing import Any

import pytest
from paylink_sdk import (
    Model,
    PaylinkError,
    SignatureError,
    UnknownWebhookEvent,
    types,
    verify_webhook,
)
from paylink_sdk.testing import TestService, make_webhook_secret, sign_webhook

OPENAPI = json.loads((Path(__file__).parents[3] / "openapi.json").read_text())
PAYLOAD = {"id": "evt_1", "type": "payment.paid", "data": {"payment": {"customerOrderId": "grün – 支付"}}}
SECRET = make_webhook_secret()


def refuses(code: str, *given: Any, **more: Any) -> str:
    with pytest.raises(SignatureError) as caught:
        verify_webhook(*given, **more)
    assert caught.value.code == code
    return str(caught.value)


def test_every_event_type_has_its_model_and_its_example_fits_without_rest() -> None:
    assert set(types.WEBHOOK_EVENTS) == set(OPENAPI["webhooks"])
    for type_, webhook in OPENAPI["webhooks"].items():
        example = webhook["post"]["requestBody"]["content"]["application/json"]["example"]
        types.WEBHOOK_EVENTS[type_].model_validate(example)
        signed = sign_webhook(example, SECRET)
        event = verify_webhook(signed.body, signed.headers, SECRET).payload
        assert type(event) is types.WEBHOOK_EVENTS[type_]
        assert event.model_dump(by_alias=True, exclude_unset=True) == example
        assert not unknown_members(event)


def unknown_members(value: object) -> list[str]:
    """The members at any depth that no model declares, under this name or its camel case."""
    if isinstance(value, list):
        return [name for one in value for name in unknown_members(one)]
    if not isinstance(value, Model):
        return []
    declared = {field.serialization_alias or name for name, field in type(value).model_fields.items()}
    extra = [name for name in value.model_extra or {} if name[0].lower() + name[1:] not in declared]
    return extra + [name for field in type(value).model_fields for name in unknown_members(getattr(value, field))]


def test_the_published_example_of_standard_webhooks_is_genuine() -> None:
    headers = {
        "webhook-id": "msg_p5jXN8AQM9LWM0D4loKWxJek",
        "webhook-timestamp": "1614265330",
        "webhook-signature": "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=",
    }
    now = datetime.fromtimestamp(1_614_265_330, timezone.utc)
    given = ('{"test": 2432232314}', headers, "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw")
    # Genuine, but no event of Paylink.
    assert "is genuine, but it is not an event" in refuses("malformed", *given, now=now)


def test_a_message_is_read_from_text_and_bytes() -> None:
    signed = sign_webhook(PAYLOAD, SECRET, id="evt_1")
    upper = {name.upper(): value for name, value in signed.headers.items()}
    raw = signed.body.encode()
    bodies: list[str | bytes | bytearray | memoryview] = [signed.body, raw, bytearray(raw), memoryview(raw)]
    for body in bodies:
        for headers in (signed.headers, upper):
            message = verify_webhook(body, headers, SECRET)
            assert message.id == "evt_1"
            if message.payload.type == "payment.paid":
                assert message.payload.data.payment.customer_order_id == "grün – 支付"
            else:
                pytest.fail("another type")


def test_an_event_of_a_newer_service_is_kept() -> None:
    signed = sign_webhook({"id": "evt_1", "type": "payment.teleported", "data": {"a": 1}}, SECRET)
    event: Any = verify_webhook(signed.body, signed.headers, SECRET).payload
    assert isinstance(event, UnknownWebhookEvent)
    assert (event.type, event.data) == ("payment.teleported", {"a": 1})


def test_both_secrets_and_the_published_key_verify() -> None:
    other, service = make_webhook_secret(), TestService()
    signed = sign_webhook(PAYLOAD, SECRET)
    verify_webhook(signed.body, signed.headers, [other, SECRET])
    assert "the secret is of another endpoint, or the body" in refuses(
        "wrong_signature", signed.body, signed.headers, other
    )
    published = service.sign_webhook(PAYLOAD)
    verify_webhook(published.body, published.headers, service.key_set)
    assert "no signature of the kind v1," in refuses(
        "wrong_signature", published.body, published.headers, SECRET
    )
    refuses("wrong_signature", published.body, published.headers, TestService().key_set)
    refuses("wrong_signature", published.body, published.headers, {"keys": []})


def test_a_change_of_any_byte_is_refused() -> None:
    now = datetime.now(timezone.utc)
    signed = sign_webhook(PAYLOAD, SECRET, sent_at=now)
    body = signed.body.encode()
    for at in range(len(body)):
        changed = body[:at] + bytes([body[at] ^ 1]) + body[at + 1 :]
        refuses("wrong_signature", changed, signed.headers, SECRET, now=now)
    for name in ("webhook-id", "webhook-timestamp", "webhook-signature"):
        value = signed.headers[name]
        for at in range(len(value)):
            changed_value = value[:at] + chr(ord(value[at]) ^ 1) + value[at + 1 :]
            with pytest.raises(SignatureError):
                verify_webhook(body, {**signed.headers, name: changed_value}, SECRET, now=now)
    for spelling in (signed.headers["webhook-signature"].rstrip("="), signed.headers["webhook-signature"] + "="):
        refuses("wrong_signature", body, {**signed.headers, "webhook-signature": spelling}, SECRET)


def test_a_message_is_valid_for_five_minutes_around_its_time() -> None:
    sent_at = datetime(2026, 11, 20, 12, tzinfo=timezone.utc)
    signed = sign_webhook(PAYLOAD, SECRET, sent_at=sent_at)

    def at(seconds: int) -> datetime:
        return sent_at + timedelta(seconds=seconds)

    for seconds in (300, -300):
        verify_webhook(signed.body, signed.headers, SECRET, now=at(seconds))
    verify_webhook(signed.body, signed.headers, SECRET, now=at(900), tolerance_seconds=1_000)
    old = refuses("expired", signed.body, signed.headers, SECRET, now=at(301))
    assert old.startswith("The message was sent 301 s ago, and 300 s are allowed")
    refuses("too_early", signed.body, signed.headers, SECRET, now=at(-301))


def test_a_parsed_body_and_a_missing_secret_are_mistakes_of_the_program() -> None:
    signed = sign_webhook(PAYLOAD, SECRET)
    parsed: list[Any] = [PAYLOAD, [], 7, None]
    for body in parsed:
        with pytest.raises(PaylinkError, match="Pass the raw body") as caught:
            verify_webhook(body, signed.headers, SECRET)
        assert caught.value.code == "parsed_body"
    missing: list[Any] = [None, "", []]
    for key in [*missing, "plk_test_1", "whsec_", "whsec_c2hvcnQ=", ["whsec_c2hvcnQ="]]:
        with pytest.raises(PaylinkError) as caught:
            verify_webhook(signed.body, signed.headers, key)
        assert caught.value.code == "invalid_option"
        assert "c2hvc" not in str(caught.value)
        assert (key in missing) == ("The webhook secret is missing" in str(caught.value))


def test_missing_and_repeated_headers_are_malformed() -> None:
    signed = sign_webhook(PAYLOAD, SECRET)
    for name in ("webhook-id", "webhook-timestamp", "webhook-signature"):
        rest = {other: value for other, value in signed.headers.items() if other != name}
        for headers in (rest, {**rest, name: ""}, {**signed.headers, name.upper(): "x"}):
            refuses("malformed", signed.body, headers, SECRET)
    for body in ("[]", '{"data": 1}', '"payment.paid"'):
        other = sign_webhook(json.loads(body), SECRET)
        refuses("malformed", other.body, other.headers, SECRET)
