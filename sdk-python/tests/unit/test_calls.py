from __future__ import annotations

import json
import threading
from datetime import datetime, timezone
from decimal import Decimal
from functools import partial
from typing import Any

import anyio
import httpx
import pytest
from paylink_sdk import (
    AsyncPaylink,
    CallOptions,
    Credentials,
    Paylink,
    PaylinkApiError,
    PaylinkConnectionError,
    PaylinkError,
    PaylinkTimeoutError,
    types,
)
from stub import BASE, Stub, answer, logged_in, problem, use

PAYMENT = {"PaymentLinkCode": "abc", "status": "open", "amount": 19.99, "of_a_newer_service": 1}


def create(client: Any, **more: Any) -> Any:
    order = {"customer_order_id": "o", "email": "a@example.com", "currency": "EUR", "amount": 1, **more}
    return client.payments.create(success_url="https://s/a", failure_url="https://s/b", **order)


def get(client: Any, code: str) -> Any:
    return client.payments.get(code)


def test_a_service_key_is_sent_alone_and_never_logs_in(kind: str) -> None:
    stub = Stub(answer(PAYMENT))
    payment = use(kind, stub, lambda client: client.payments.get("abc"))
    assert isinstance(payment, types.Payment)
    assert (payment.payment_link_code, payment.status, payment.amount) == ("abc", "open", 19.99)
    missing: Any = payment.customer_order_id
    assert missing is None
    assert payment.model_extra == {"of_a_newer_service": 1}
    [request] = stub.requests
    assert str(request.url) == f"{BASE}/v1/payments/abc"
    assert request.headers["authorization"] == "Bearer pls_test_1"
    assert not {"x-api-key", "x-company-id"} & set(request.headers)


def test_a_login_is_made_once_and_its_three_credentials_are_sent(kind: str) -> None:
    stub = logged_in(answer(PAYMENT))

    def twice(client: Any) -> Any:
        if kind == "sync":
            return [client.payments.get("abc") for _ in range(2)]

        async def both() -> None:
            async with anyio.create_task_group() as group:
                group.start_soon(client.payments.get, "abc")
                group.start_soon(client.payments.get, "abc")

        return both()

    use(kind, stub, twice, email="a@example.com", password="p", mode="test", api_key="plk_0")
    [login] = stub.logins  # type: ignore[attr-defined]
    assert json.loads(login.content) == {"email": "a@example.com", "password": "p", "mode": "test"}
    assert login.headers["x-api-key"] == "plk_0"
    assert len(stub.requests) == 2
    for request in stub.requests:
        names = ("authorization", "x-api-key", "x-company-id")
        assert [request.headers[name] for name in names] == ["Bearer token-1", "plk_1", "co_1"]


def test_threads_share_one_login() -> None:
    stub = logged_in(answer(PAYMENT))
    http = httpx.Client(transport=httpx.MockTransport(stub.handle))  # type: ignore[attr-defined]
    client = Paylink(BASE, email="a@example.com", password="p", http_client=http)
    threads = [threading.Thread(target=client.payments.get, args=("abc",)) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    http.close()
    assert (len(stub.logins), len(stub.requests)) == (1, 8)  # type: ignore[attr-defined]


def test_refused_credentials_are_renewed_once(kind: str) -> None:
    account = {"email": "a@example.com", "password": "p"}
    stub = logged_in(problem(401, "unauthenticated"), answer(PAYMENT))
    use(kind, stub, lambda client: client.payments.get("abc"), **account)
    assert [request.headers["authorization"] for request in stub.requests] == ["Bearer token-1", "Bearer token-2"]
    refused = logged_in(problem(401, "unauthenticated"))
    with pytest.raises(PaylinkApiError) as caught:
        use(kind, refused, lambda client: client.payments.get("abc"), **account)
    assert (caught.value.status, len(refused.requests)) == (401, 2)


def test_given_credentials_and_service_keys_are_not_renewed(kind: str) -> None:
    for given in ({"credentials": Credentials("t", "k", "c")}, {"service_key": "pls_live_1"}):
        stub = Stub(problem(401, "unauthenticated"))
        with pytest.raises(PaylinkApiError):
            use(kind, stub, lambda client: client.payments.get("abc"), **given)
        assert len(stub.requests) == 1


def test_a_post_is_repeated_under_one_idempotency_key(kind: str, waits: list[float]) -> None:
    stub = Stub(httpx.ReadError("reset"), problem(502, "bad_gateway"), answer(PAYMENT))
    use(kind, stub, create)
    keys = [request.headers["idempotency-key"] for request in stub.requests]
    assert len(keys) == 3 and len(set(keys)) == 1 and len(keys[0]) == 32
    assert 0 <= waits[0] <= 0.25 and 0 <= waits[1] <= 0.5
    given = Stub(answer(PAYMENT))
    use(kind, given, lambda client: create(client, options=CallOptions(idempotency_key="mine")))
    assert given.requests[0].headers["idempotency-key"] == "mine"


def test_retry_after_is_awaited_unless_it_passes_the_deadline(kind: str, waits: list[float]) -> None:
    stub = Stub(problem(429, "rate_limited", retry_after="7"), answer(PAYMENT))
    use(kind, stub, lambda client: client.payments.get("abc"))
    assert len(waits) == 1 and 7 <= waits[0] <= 7.25
    long = Stub(problem(503, "unavailable", retry_after="600"))
    with pytest.raises(PaylinkApiError) as caught:
        use(kind, long, lambda client: client.payments.get("abc"))
    assert (caught.value.retry_after, len(long.requests), len(waits)) == (600, 1, 1)


def test_what_could_happen_twice_and_what_was_refused_is_not_repeated(kind: str, waits: list[float]) -> None:
    patch = Stub(httpx.ConnectError("refused"))
    with pytest.raises(PaylinkConnectionError):
        use(kind, patch, lambda client: client.payments.update("abc", metadata={"a": "b"}))
    invalid = Stub(problem(422, "invalid_request"))
    with pytest.raises(PaylinkApiError) as caught:
        use(kind, invalid, create)
    assert (len(patch.requests), len(invalid.requests), waits) == (1, 1, [])
    error = caught.value
    assert str(error) == "422 invalid_request: Title. Detail. amount: must be positive"
    assert (error.code, error.request_id) == ("invalid_request", "req-1")
    assert error.errors == [{"field": "amount", "detail": "must be positive"}]


def test_the_retries_end_with_the_last_error(kind: str, waits: list[float]) -> None:
    stub = Stub(httpx.ReadTimeout("late"))
    with pytest.raises(PaylinkTimeoutError, match="No answer to getPayment within 30 s"):
        use(kind, stub, lambda client: client.payments.get("abc"))
    assert (len(stub.requests), len(waits)) == (4, 3)
    once = Stub(httpx.ReadTimeout("late"))
    options = CallOptions(max_retries=0)
    with pytest.raises(PaylinkTimeoutError):
        use(kind, once, lambda client: client.payments.get("abc", options=options))
    assert len(once.requests) == 1


def test_an_answer_of_another_server_is_an_error_with_its_status(kind: str) -> None:
    for status, text in ((404, "<html>"), (302, ""), (200, "<html>"), (400, '{"code": 1}')):
        stub = Stub(httpx.Response(status, text=text, headers={"location": "https://other.example/"}))
        with pytest.raises(PaylinkApiError) as caught:
            use(kind, stub, lambda client: client.payments.get("abc"))
        assert (caught.value.code, caught.value.status) == ("unreadable_answer", status)
        assert len(stub.requests) == 1


def test_amounts_are_sent_exactly_and_omitted_parameters_are_not_sent(kind: str) -> None:
    stub = Stub(answer(PAYMENT))
    item = types.PaymentItemInput(name="Cup", quantity=2, unit_amount=9.5)
    use(kind, stub, lambda client: create(client, amount=Decimal("19.99"), items=[item], phone=None))
    assert b'"amount": 19.99,' in stub.requests[0].content
    [body] = stub.bodies()
    assert body["items"] == [{"name": "Cup", "quantity": 2, "unitAmount": 9.5}]
    assert body["phone"] is None and "locale" not in body
    for amount in (Decimal("0.12345678901234567890"), Decimal("NaN"), Decimal("Infinity")):
        with pytest.raises(PaylinkError, match="more digits"):
            use(kind, stub, partial(create, amount=amount))


def test_queries_have_times_with_their_zone_and_no_empty_parameters(kind: str) -> None:
    stub = Stub(answer({"data": [], "nextCursor": None}))
    since = datetime(2026, 11, 20, 12, tzinfo=timezone.utc)
    use(kind, stub, lambda client: client.payments.list(created_from=since, min_amount=Decimal("5.00"), limit=10))
    query = dict(stub.requests[0].url.params)
    assert query == {"createdFrom": "2026-11-20T12:00:00Z", "minAmount": "5.00", "limit": "10"}
    with pytest.raises(PaylinkError, match="time zone"):
        use(kind, stub, lambda client: client.payments.list(created_from=datetime(2026, 1, 1)))


def test_a_path_cannot_lead_to_another_operation(kind: str) -> None:
    stub = Stub(answer(PAYMENT))
    for code in ("", ".", ".."):
        with pytest.raises(PaylinkError, match="code must not be empty"):
            use(kind, stub, partial(get, code=code))
    use(kind, stub, lambda client: client.payments.get("a/../b?c"))
    assert stub.requests[0].url.raw_path == b"/v1/payments/a%2F..%2Fb%3Fc"


def test_a_file_says_its_type(kind: str) -> None:
    stub = Stub(answer({"companyId": "co_1"}))
    use(kind, stub, lambda client: client.company.upload_logo(b"png", content_type="image/png", variant="dark"))
    [request] = stub.requests
    assert (request.content, request.headers["content-type"]) == (b"png", "image/png")
    assert request.url.params["variant"] == "dark"
    with pytest.raises(TypeError, match="image/svg"):
        use(kind, stub, lambda client: client.company.upload_logo(b"png", content_type="image/gif"))


def test_no_message_and_no_repr_shows_a_secret(kind: str) -> None:
    secrets = {"password": "secret-p", "email": "a@example.com", "api_key": "plk_secret"}
    client = Paylink(BASE, **secrets)  # type: ignore[arg-type]
    shown = f"{client!r} {client.__dict__!r} {Credentials('secret-t', 'secret-k', 'co_1')!r}"
    client.close()
    stub = logged_in(httpx.ConnectError("secret-url"))
    with pytest.raises(PaylinkConnectionError) as caught:
        use(kind, stub, lambda one: one.payments.update("abc"), **secrets)
    assert "secret" not in f"{shown} {caught.value!r} {caught.value}"


def test_options_are_checked_before_anything_is_sent() -> None:
    wrong: list[tuple[dict[str, Any], str]] = [
        ({}, "Give a service_key"),
        ({"email": "a@example.com"}, "password is missing"),
        ({"email": "a@example.com", "password": " "}, "password is empty"),
        ({"service_key": "sk_test_1"}, "pls_test_ or pls_live_"),
        ({"service_key": "pls_test_1\n"}, "pls_test_ or pls_live_"),
        ({"service_key": ""}, "service_key is empty"),
        ({"service_key": "pls_test_1", "email": "a"}, "not both"),
        ({"credentials": Credentials("t", "k", "c"), "password": "p"}, "not both"),
        ({"credentials": Credentials("t", "", "c")}, "credentials.api_key is empty"),
        ({"email": "a", "password": "p", "mode": "prod"}, "mode must be"),
        ({"service_key": "pls_test_1", "timeout": 0}, "timeout and deadline"),
        ({"service_key": "pls_test_1", "max_retries": -1}, "max_retries"),
    ]
    for client in (Paylink, AsyncPaylink):
        for given, message in wrong:
            with pytest.raises(PaylinkError, match=message) as caught:
                client(BASE, **given)
            assert caught.value.code == "invalid_option"
        for base_url in ("", "pay.example.com", "ftp://a", "https://a:b@c", "https://a/?q", "https://", "http://a:x"):
            with pytest.raises(PaylinkError, match="base_url"):
                client(base_url, service_key="pls_test_1")


def test_the_base_url_may_end_with_v1(kind: str) -> None:
    for suffix in ("", "/", "/v1", "/v1/"):
        stub = Stub(answer(PAYMENT))
        http = httpx.Client(transport=httpx.MockTransport(stub))
        Paylink(f"{BASE}/shop{suffix}", service_key="pls_test_1", http_client=http).payments.get("abc")
        http.close()
        assert stub.requests[0].url.path == "/shop/v1/payments/abc"


def test_the_answer_is_reported(kind: str) -> None:
    seen: list[tuple[int, str]] = []
    options = CallOptions(on_answer=lambda status, headers: seen.append((status, headers["x-request-id"])))
    stub = Stub(answer(PAYMENT, x_request_id="req-9"))
    use(kind, stub, lambda client: client.payments.get("abc", options=options))
    assert seen == [(200, "req-9")]


def test_a_changed_password_is_used_by_the_next_login(kind: str) -> None:
    stub = logged_in(httpx.Response(204), problem(401, "unauthenticated"), answer(PAYMENT))

    def change(client: Any) -> Any:
        given = {"current_password": "p", "new_password": "q"}
        if kind == "sync":
            client.me.change_password(**given)
            return client.payments.get("abc")

        async def both() -> None:
            await client.me.change_password(**given)
            await client.payments.get("abc")

        return both()

    use(kind, stub, change, email="a@example.com", password="p")
    assert [json.loads(login.content)["password"] for login in stub.logins] == ["p", "q"]  # type: ignore[attr-defined]
