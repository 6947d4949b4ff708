"""What the harness has started: a service, its account, and a customer who pays links."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator

import httpx
import pytest
from paylink_sdk import Paylink


@pytest.fixture(scope="session")
def base_url() -> str:
    return os.environ["PAYLINK_BASE_URL"]


@pytest.fixture(scope="session")
def account() -> dict[str, str]:
    return {"email": os.environ["PAYLINK_EMAIL"], "password": os.environ["PAYLINK_PASSWORD"]}


@pytest.fixture(scope="session")
def paylink(base_url: str, account: dict[str, str]) -> Iterator[Paylink]:
    with Paylink(base_url, email=account["email"], password=account["password"]) as client:
        yield client


@pytest.fixture(scope="session")
def pay() -> Callable[[str], str]:
    """Pays a link as a customer does. Returns the address where the customer lands."""

    def pay_link(link: str) -> str:
        answer = httpx.post(os.environ["PAYLINK_CUSTOMER"], content=link, timeout=60)
        answer.raise_for_status()
        return answer.text

    return pay_link
