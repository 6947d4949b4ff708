"""
Paginated lists and the event feed as iterables. They hold one page at a time. A feed's cursor is never advanced
beyond the items that it has handed out.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from ._base import AsyncRequest, CallOptions, Request
from ._options import reject

if TYPE_CHECKING:
    from . import types as t

Item = TypeVar("Item")
Page = TypeVar("Page")

USUAL_WAIT = 20
RESPONSE_TIMEOUT = 10
"""Time for the response, in addition to the wait."""


class PagedList(Generic[Item, Page]):
    """A list: iterate over all of it, or get its first page. It sends nothing before that."""

    def __init__(self, fetch_page: Callable[[Mapping[str, str]], Any]) -> None:
        self._fetch_page = fetch_page

    def page(self) -> Page:
        """The first page; its `next_cursor` is None if it is the last one."""
        page: Page = self._fetch_page({})
        return page

    def __iter__(self) -> Iterator[Item]:
        page = self._fetch_page({})
        yield from page.data
        while page.next_cursor is not None:
            page = self._fetch_page({"cursor": page.next_cursor})
            yield from page.data


class AsyncPagedList(Generic[Item, Page]):
    """A list: iterate over all of it, or get its first page. It sends nothing before that."""

    def __init__(self, fetch_page: Callable[[Mapping[str, str]], Awaitable[Any]]) -> None:
        self._fetch_page = fetch_page

    async def page(self) -> Page:
        """The first page; its `next_cursor` is None if it is the last one."""
        page: Page = await self._fetch_page({})
        return page

    async def __aiter__(self) -> AsyncIterator[Item]:
        page = await self._fetch_page({})
        for item in page.data:
            yield item
        while page.next_cursor is not None:
            page = await self._fetch_page({"cursor": page.next_cursor})
            for item in page.data:
                yield item


class _FeedStart:
    def __init__(self, after: str | None, limit: int | None, wait_seconds: int, options: CallOptions | None) -> None:
        # Without a wait it would send requests without pause.
        if not 1 <= wait_seconds <= 30:
            reject("wait_seconds is 1 to 30.")
        self.cursor = after
        """Where to restart without missing an event: after the last page of which every event was handled."""
        self._limit = limit
        self._wait_seconds = wait_seconds
        self._options = options or CallOptions()

    def _next_call(self) -> dict[str, Any]:
        # Resolve `latest` without a wait: a retried request would start at a later position.
        wait = 0 if self.cursor == "latest" else self._wait_seconds
        query = {"after": self.cursor, "limit": self._limit, "wait": wait}
        timeout = self._options.timeout or wait + RESPONSE_TIMEOUT
        options = CallOptions(
            timeout=timeout,
            deadline=self._options.deadline,
            max_retries=self._options.max_retries,
            on_answer=self._options.on_answer,
        )
        return {"query": query, "options": options}


class Feed(_FeedStart):
    """An endless iterable of events. Store its `cursor`: events of the page after it may come again."""

    def __init__(self, request: Request, *start: Any) -> None:
        super().__init__(*start)
        self._request = request

    def __iter__(self) -> Iterator[t.Event]:
        while True:
            page = self._request("listEvents", **self._next_call())
            yield from page.data
            self.cursor = page.next_cursor


class AsyncFeed(_FeedStart):
    """An endless iterable of events. Store its `cursor`: events of the page after it may come again."""

    def __init__(self, request: AsyncRequest, *start: Any) -> None:
        super().__init__(*start)
        self._request = request

    async def __aiter__(self) -> AsyncIterator[t.Event]:
        while True:
            page = await self._request("listEvents", **self._next_call())
            for event in page.data:
                yield event
            self.cursor = page.next_cursor


class FeedSource:
    _request: Request

    def follow(
        self,
        *,
        after: str | None = None,
        limit: int | None = None,
        wait_seconds: int = USUAL_WAIT,
        options: CallOptions | None = None,
    ) -> Feed:
        """The endless feed: each event as it happens. `after` is a `cursor`, or `latest` for now."""
        return Feed(self._request, after, limit, wait_seconds, options)


class AsyncFeedSource:
    _request: AsyncRequest

    def follow(
        self,
        *,
        after: str | None = None,
        limit: int | None = None,
        wait_seconds: int = USUAL_WAIT,
        options: CallOptions | None = None,
    ) -> AsyncFeed:
        """The endless feed: each event as it happens. `after` is a `cursor`, or `latest` for now."""
        return AsyncFeed(self._request, after, limit, wait_seconds, options)
