from __future__ import annotations

from datetime import datetime, timedelta, timezone
from decimal import Decimal
from typing import Any
from urllib.parse import urlencode

import httpx
import pytest
from paylink_sdk import Expected, SignatureError, _keys, verify_redirect
from paylink_sdk.testing import TestService
from stub import BASE, Stub, answer, logged_in, use

SERVICE = TestService()
GIVEN: dict[str, Any] = {"base_url": BASE, "company_id": "co_1"}


def refuses(code: str, address: Any, **more: Any) -> None:
    with pytest.raises(SignatureError) as caught:
        verify_redirect(address, **{**GIVEN, "key_set": SERVICE.key_set, **more})
    assert caught.value.code == code


def test_the_result_is_read_from_an_address_and_from_parameters() -> None:
    parameters = SERVICE.sign_redirect(**GIVEN, amount=24.5, customer_order_id="o-1")
    address = f"https://shop.example/thanks?cart=7&{urlencode(parameters)}"
    expect = Expected("o-1", Decimal("24.50"), "EUR")
    addresses: list[Any] = [address, address.removeprefix("https://shop.example"), parameters]
    for given in addresses:
        result = verify_redirect(given, **GIVEN, key_set=SERVICE.key_set, expect=expect)
        assert (result.status, result.amount, result.customer_order_id) == ("paid", 24.5, "o-1")


def test_another_order_company_service_or_key_is_refused() -> None:
    parameters = SERVICE.sign_redirect(**GIVEN)
    refuses("differs", parameters, expect=Expected(amount=20))
    refuses("differs", parameters, expect=Expected(currency="USD"))
    refuses("differs", parameters, expect=Expected(customer_order_id="another"))
    refuses("not_for_you", parameters, company_id="co_2")
    refuses("not_for_you", parameters, base_url="https://other.example.com")
    refuses("wrong_signature", parameters, key_set=TestService().key_set)
    refuses("unknown_key", parameters, key_set={"keys": []})
    addresses: list[Any] = ["https://s/", "?paymentResult=a&paymentResult=b", "?paymentResult=a.b.c", {}]
    for address in addresses:
        refuses("malformed", address)


def test_every_changed_character_is_refused() -> None:
    token = SERVICE.sign_redirect(**GIVEN)["paymentResult"]
    for at in range(len(token)):
        changed = token[:at] + ("A" if token[at] != "A" else "B") + token[at + 1 :]
        with pytest.raises(SignatureError):
            verify_redirect({"paymentResult": changed}, **GIVEN, key_set=SERVICE.key_set)


def test_a_result_is_valid_for_fifteen_minutes() -> None:
    signed_at = datetime(2026, 11, 20, 12, tzinfo=timezone.utc)
    parameters = SERVICE.sign_redirect(**GIVEN, signed_at=signed_at)

    def at(seconds: int) -> dict[str, Any]:
        return {"now": signed_at + timedelta(seconds=seconds)}

    for seconds in (-30, 0, 929):
        verify_redirect(parameters, **GIVEN, key_set=SERVICE.key_set, **at(seconds))
    refuses("expired", parameters, **at(930))
    refuses("too_early", parameters, **at(-31))


def test_a_client_finds_the_company_and_keeps_the_keys(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_keys, "_cache", {})
    parameters = SERVICE.sign_redirect(**GIVEN)

    def service(request: httpx.Request) -> httpx.Response:
        is_keys = request.url.path == "/.well-known/jwks.json"
        return httpx.Response(200, json=SERVICE.key_set if is_keys else {"companyId": "co_1"})

    stub = Stub(service)
    assert use(kind, stub, lambda client: client.verify_redirect(parameters)).status == "paid"
    assert [request.url.path for request in stub.requests] == ["/v1/access", "/.well-known/jwks.json"]
    by_login = logged_in(service)
    account = {"email": "a@example.com", "password": "p"}
    use(kind, by_login, lambda client: client.verify_redirect(parameters), **account)
    assert by_login.requests == []


def test_an_answer_without_keys_is_an_error(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_keys, "_cache", {})
    parameters = SERVICE.sign_redirect(**GIVEN)
    stub = logged_in(answer({"keys": "none"}))
    account = {"email": "a@example.com", "password": "p"}
    with pytest.raises(Exception, match="The key set of the service is none"):
        use(kind, stub, lambda client: client.verify_redirect(parameters), **account)
