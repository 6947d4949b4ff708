from __future__ import annotations

from itertools import islice
from typing import Any

import httpx
import pytest
from paylink_sdk import CallOptions, Paylink, PaylinkError
from stub import BASE, Stub, answer, use


def page(*codes: str, cursor: str | None) -> Any:
    return answer({"data": [{"PaymentLinkCode": code} for code in codes], "nextCursor": cursor})


def test_a_list_fetches_page_by_page_until_the_last(kind: str) -> None:
    stub = Stub(page("a", "b", cursor="1"), page(cursor="2"), page("c", cursor=None))
    found = use(kind, stub, lambda client: client.payments.list(status="open"))
    assert [payment.payment_link_code for payment in found] == ["a", "b", "c"]
    queries = [dict(request.url.params) for request in stub.requests]
    assert queries == [{"status": "open"}, {"status": "open", "cursor": "1"}, {"status": "open", "cursor": "2"}]


def test_the_first_page_alone_is_one_request(kind: str) -> None:
    stub = Stub(page("a", cursor="1"))
    first = use(kind, stub, lambda client: client.payments.list().page())
    assert (first.next_cursor, len(first.data), len(stub.requests)) == ("1", 1, 1)


def test_the_feed_continues_after_its_cursor_and_waits_longer_than_the_service() -> None:
    event = {"id": "evt_1", "type": "payment.paid", "PaymentLinkCode": "a"}
    stub = Stub(
        answer({"data": [], "nextCursor": "5"}),
        answer({"data": [event], "nextCursor": "6"}),
        answer({"data": [event], "nextCursor": "7"}),
    )
    timeouts: list[float] = []

    def handle(request: httpx.Request) -> httpx.Response:
        timeouts.append(request.extensions["timeout"]["read"])
        return stub(request)

    with httpx.Client(transport=httpx.MockTransport(handle)) as http:
        client = Paylink(BASE, service_key="pls_test_1", http_client=http)
        feed = client.events.follow(after="latest", wait_seconds=25, options=CallOptions(max_retries=1))
        assert [one.id for one in islice(feed, 2)] == ["evt_1", "evt_1"]
        # The second page is not done: its events may come again.
        assert feed.cursor == "6"
        with pytest.raises(PaylinkError, match="wait_seconds is 1 to 30"):
            client.events.follow(wait_seconds=0)
    queries = [dict(request.url.params) for request in stub.requests]
    assert queries == [
        {"after": "latest", "wait": "0"},
        {"after": "5", "wait": "25"},
        {"after": "6", "wait": "25"},
    ]
    assert timeouts == [10, 35, 35]


def test_lists_without_pages_are_lists(kind: str) -> None:
    stub = Stub(answer({"data": [{"processor": "sandbox"}], "nextCursor": None}))
    [processor] = use(kind, stub, lambda client: client.processors.list())
    assert processor.processor == "sandbox"
