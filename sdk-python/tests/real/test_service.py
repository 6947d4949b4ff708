"""Both clients against a running service."""

from __future__ import annotations

import threading
import uuid
from collections.abc import Callable
from decimal import Decimal
from http.server import BaseHTTPRequestHandler, HTTPServer
from typing import Any

import anyio
import pytest
from paylink_sdk import AsyncPaylink, CallOptions, Expected, Paylink, PaylinkApiError, SignatureError, verify_webhook
from pydantic import AliasChoices

SHOP = {"success_url": "https://shop.example/thanks", "failure_url": "https://shop.example/sorry"}


def new_order(**more: Any) -> dict[str, Any]:
    order = {"customer_order_id": str(uuid.uuid4()), "email": "ada@example.com", "currency": "EUR"}
    return {**order, **SHOP, "amount": 19.99, **more}


def test_a_payment_is_created_paid_verified_and_refunded(
    paylink: Paylink, base_url: str, pay: Callable[[str], str]
) -> None:
    order = new_order(amount=Decimal("24.50"), metadata={"cart": "7"})
    payment = paylink.payments.create(**order)
    assert (payment.status, payment.amount, payment.metadata) == ("open", 24.5, {"cart": "7"})
    assert paylink.payments.create(**order).payment_link_code == payment.payment_link_code
    address = pay(payment.payment_link)
    expected = Expected(order["customer_order_id"], order["amount"], "EUR")
    assert paylink.verify_redirect(address, expected).status == "paid"
    with pytest.raises(SignatureError):
        paylink.verify_redirect(address, Expected(amount=1))
    key = paylink.service_keys.create(name="shop", scopes=["payments:create"]).key
    with Paylink(base_url, service_key=key) as shop:
        assert shop.verify_redirect(address, expected).status == "paid"
    options = CallOptions(idempotency_key=uuid.uuid4().hex)
    refunds = [paylink.payments.refund(payment.payment_link_code, amount=10, options=options) for _ in range(2)]
    assert refunds[0].refund_id == refunds[1].refund_id
    paid = paylink.payments.get(payment.payment_link_code)
    assert (paid.status, paid.refunded_amount) == ("paid", 10)
    types = [event.type for event in paylink.payments.list_events(payment.payment_link_code)]
    assert types[0] == "payment.created" and "payment.paid" in types


def test_a_refusal_has_the_code_and_the_fields_of_the_service(paylink: Paylink) -> None:
    with pytest.raises(PaylinkApiError) as caught:
        paylink.payments.create(**new_order(amount=19.999))
    error = caught.value
    assert error.status == 422 and error.request_id
    assert [one["field"] for one in error.errors] == ["amount"]
    with pytest.raises(PaylinkApiError) as unknown:
        paylink.payments.get("none")
    assert unknown.value.status == 404


def test_a_list_has_every_payment_once(paylink: Paylink) -> None:
    email = f"{uuid.uuid4().hex}@example.com"
    made = [paylink.payments.create(**new_order(email=email)).payment_link_code for _ in range(3)]
    found = [payment.payment_link_code for payment in paylink.payments.list(email=email, limit=1)]
    assert found == made[::-1]
    assert paylink.payments.qr(made[0]).read().startswith(b"<svg ")
    lines = list(paylink.payments.export(email=email, format="ndjson").iter_lines())
    assert len(lines) == 3


def other_names(answer: Any) -> set[str]:
    """The names of fields that have another name as well, which is in the answer, too."""
    aliases = [field.validation_alias for field in type(answer).model_fields.values()]
    return {str(choice) for alias in aliases if isinstance(alias, AliasChoices) for choice in alias.choices}


def test_every_answer_of_the_lists_has_the_members_of_its_model(paylink: Paylink) -> None:
    """An answer with a member that no model has, or without one that it must have, is a stale model."""
    answers: list[Any] = [
        paylink.company.get(),
        paylink.me.get(),
        paylink.overview.get(),
        paylink.second_factors.get(),
        *paylink.processors.list(),
        *paylink.members.list().page().data,
        *paylink.api_keys.list().page().data,
        *paylink.payments.list().page().data,
        *paylink.events.list(limit=50).data,
        *paylink.events.list_audit().page().data,
        *paylink.ledger.entries().page().data,
        *paylink.balances.list().page().data,
        *paylink.me.list_sessions().page().data,
    ]
    for answer in answers:
        type(answer).model_validate(answer.model_dump(by_alias=True))
        assert not set(answer.model_extra or {}) - other_names(answer), type(answer)


def test_the_asynchronous_client_does_the_same(base_url: str, account: dict[str, str]) -> None:
    async def work() -> None:
        async with AsyncPaylink(base_url, email=account["email"], password=account["password"]) as paylink:
            email = f"{uuid.uuid4().hex}@example.com"
            codes: list[str] = []

            async def create() -> None:
                codes.append((await paylink.payments.create(**new_order(email=email))).payment_link_code)

            async with anyio.create_task_group() as group:
                for _ in range(3):
                    group.start_soon(create)
            found = [payment.payment_link_code async for payment in paylink.payments.list(email=email, limit=2)]
            assert sorted(found) == sorted(codes)
            cancelled = await paylink.payments.cancel(codes[0])
            assert cancelled.status == "cancelled"
            picture = await (await paylink.payments.qr(codes[1], format="png")).aread()
            assert picture.startswith(b"\x89PNG")
            with pytest.raises(PaylinkApiError):
                await paylink.payments.refund(codes[0])

    anyio.run(work)


def test_a_webhook_of_the_service_is_verified_and_typed(paylink: Paylink, pay: Callable[[str], str]) -> None:
    received: list[tuple[bytes, dict[str, str]]] = []
    is_paid = threading.Event()

    class Receiver(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["content-length"]))
            received.append((body, dict(self.headers.items())))
            self.send_response(204)
            self.end_headers()
            if b'"payment.paid"' in body:
                is_paid.set()

        def log_message(self, *_args: object) -> None:
            return

    server = HTTPServer(("127.0.0.1", 0), Receiver)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        url = f"http://127.0.0.1:{server.server_port}/webhooks/paylink"
        endpoint = paylink.webhook_endpoints.create(url=url, events=["*"])
        payment = paylink.payments.create(**new_order())
        pay(payment.payment_link)
        assert is_paid.wait(60)
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
    paylink.webhook_endpoints.remove(endpoint.id)
    events = [verify_webhook(body, headers, endpoint.secret).payload for body, headers in received]
    paid = [event for event in events if event.type == "payment.paid"]
    assert [event.data.payment.payment_link_code for event in paid] == [payment.payment_link_code]
    for body, headers in received:
        with pytest.raises(SignatureError):
            verify_webhook(body + b" ", headers, endpoint.secret)
