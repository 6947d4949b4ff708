"""The examples of the README, as they are; only the address and the account are replaced."""

from __future__ import annotations

import re
import types
import uuid
from collections.abc import Callable
from pathlib import Path
from typing import Any

import anyio
import httpx
import pytest
from paylink_sdk import SignatureError
from paylink_sdk.testing import make_webhook_secret, sign_webhook

README = (Path(__file__).parents[2] / "README.md").read_text()
PATH = "/webhooks/paylink"
PAYLOAD = {"type": "payment.paid", "data": {"payment": {"customerOrderId": "order-1"}}}


def blocks_of(text: str) -> list[str]:
    return re.findall(r"^```python\n(.*?)^```$", text, re.M | re.S)


def section_of(heading: str) -> str:
    [_, section] = README.split(f"\n### {heading}\n")
    return re.split(r"^##", section, maxsplit=1, flags=re.M)[0]


def load(program: str) -> Any:
    module = types.ModuleType("readme")
    exec(compile(program, "README.md", "exec"), module.__dict__)
    return module


def program_of() -> str:
    receivers = [block for name in ("Flask", "FastAPI") for block in blocks_of(section_of(name))]
    assert len(receivers) == 2
    return "\n".join(block for block in blocks_of(README) if block not in receivers)


def test_the_examples_are_one_program_that_works(
    base_url: str, account: dict[str, str], pay: Callable[[str], str], monkeypatch: pytest.MonkeyPatch
) -> None:
    program = program_of()
    shown = {"http://localhost:3000": base_url, "owner@example.com": account["email"]}
    for text, here in shown.items():
        assert text in program
        program = program.replace(text, here)
    monkeypatch.setenv("PAYLINK_PASSWORD", account["password"])
    shop = load(program)
    order = {"id": str(uuid.uuid4()), "email": f"{uuid.uuid4().hex}@example.com", "amount": 19.99, "currency": "EUR"}
    link = shop.ask_for_payment(order)
    address = pay(link.payment_link)
    assert shop.is_paid(address, order)
    with pytest.raises(SignatureError):
        shop.is_paid(address, {**order, "amount": 1})
    assert shop.refund_order(link.payment_link_code) == ("succeeded", [5, 14.99])
    assert shop.cancel(link.payment_link_code) is None
    open_link = shop.ask_for_payment({**order, "id": str(uuid.uuid4())})
    codes, pictures, file = shop.report(order["email"])
    assert codes == [open_link.payment_link_code] and pictures[0].startswith(b"<svg ")
    assert b'"remind":"yes"' in file
    found = anyio.run(shop.open_links, base_url, account["email"], account["password"])
    assert open_link.payment_link_code in [payment.payment_link_code for payment in found]
    saved: list[tuple[str, str]] = []

    def save(code: str, cursor: str) -> bool:
        saved.append((code, cursor))
        return bool(code == link.payment_link_code)

    shop.follow_paid("MCAw", save)
    assert saved[-1] == (link.payment_link_code, "MCAw")
    assert shop.try_webhook()[1] == "payment.paid"
    assert shop.try_redirect() == "paid"
    assert shop.list_cases() == []
    shop.paylink.close()


@pytest.mark.parametrize("framework", ["Flask", "FastAPI"])
def test_the_receivers_handle_genuine_webhooks_and_refuse_forged_ones(
    framework: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    secret = make_webhook_secret()
    monkeypatch.setenv("PAYLINK_WEBHOOK_SECRET", secret)
    [program] = blocks_of(section_of(framework))
    app = load(program).app
    signed = sign_webhook(PAYLOAD, secret)

    def post(body: str) -> int:
        if framework == "Flask":
            return int(app.test_client().post(PATH, headers=signed.headers, data=body).status_code)

        async def send() -> int:
            transport = httpx.ASGITransport(app)
            async with httpx.AsyncClient(transport=transport, base_url="http://shop") as http:
                return (await http.post(PATH, headers=signed.headers, content=body)).status_code

        return anyio.run(send)

    assert (post(signed.body), post(signed.body + " ")) == (204, 400)
    assert capsys.readouterr().out == "Paid: order-1\n"
