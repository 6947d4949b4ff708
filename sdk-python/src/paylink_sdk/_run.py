"""Runs the steps of calls: by waiting, or asynchronously. Here alone is the network."""

from __future__ import annotations

import threading
import time
from typing import Any, TypeVar

import anyio
import httpx

from ._steps import HttpAnswer, HttpRequest, Login, Send, Sleep, Steps
from .errors import PaylinkConnectionError, PaylinkError, PaylinkTimeoutError

T = TypeVar("T")


def build(client: httpx.Client | httpx.AsyncClient, request: HttpRequest, timeout: float) -> httpx.Request:
    return client.build_request(
        request.method, request.url, headers=dict(request.headers), content=request.content, timeout=timeout
    )


def is_left_open(request: HttpRequest, response: httpx.Response) -> bool:
    return response.is_success and not request.is_json


def answer_of(response: httpx.Response, body: bytes) -> HttpAnswer:
    return HttpAnswer(response.status_code, response.headers, body.decode("utf-8", "replace"), response)


def late(request: HttpRequest, timeout: float) -> PaylinkTimeoutError:
    return PaylinkTimeoutError(f"No answer to {request.name} within {timeout:g} s.")


def broken(request: HttpRequest) -> PaylinkConnectionError:
    url = httpx.URL(request.url)
    return PaylinkConnectionError(f"The connection to {url.scheme}://{url.netloc.decode()} failed ({request.name}).")


class Runner:
    """Runs steps by waiting. Threads may share it."""

    def __init__(self, client: httpx.Client) -> None:
        self._client = client
        self._lock = threading.Lock()

    def run(self, steps: Steps[T]) -> T:
        try:
            effect = next(steps)
            while True:
                try:
                    outcome = self._perform(effect)
                except PaylinkError as error:
                    effect = steps.throw(error)
                else:
                    effect = steps.send(outcome)
        except StopIteration as end:
            value: T = end.value
            return value

    def _perform(self, effect: Any) -> Any:
        if isinstance(effect, Send):
            return self._send(effect.request, effect.timeout)
        if isinstance(effect, Sleep):
            return time.sleep(effect.seconds)
        assert isinstance(effect, Login)
        with self._lock:
            return self.run(effect.steps)

    def _send(self, request: HttpRequest, timeout: float) -> HttpAnswer:
        ends_at = time.monotonic() + timeout
        try:
            # The API never redirects, and credentials must not follow a redirect of another server.
            response = self._client.send(build(self._client, request, timeout), stream=True, follow_redirects=False)
            if is_left_open(request, response):
                return answer_of(response, b"")
            body = b""
            try:
                for part in response.iter_bytes():
                    body += part
                    if time.monotonic() > ends_at:
                        raise late(request, timeout)
            finally:
                response.close()
            return answer_of(response, body)
        except httpx.TimeoutException as error:
            raise late(request, timeout) from error
        except httpx.HTTPError as error:
            raise broken(request) from error


class AsyncRunner:
    """Runs steps asynchronously, with asyncio or trio. Tasks may share it."""

    def __init__(self, client: httpx.AsyncClient) -> None:
        self._client = client
        self._lock: anyio.Lock | None = None

    async def run(self, steps: Steps[T]) -> T:
        try:
            effect = next(steps)
            while True:
                try:
                    outcome = await self._perform(effect)
                except PaylinkError as error:
                    effect = steps.throw(error)
                else:
                    effect = steps.send(outcome)
        except StopIteration as end:
            value: T = end.value
            return value
        finally:
            steps.close()

    async def _perform(self, effect: Any) -> Any:
        if isinstance(effect, Send):
            return await self._send(effect.request, effect.timeout)
        if isinstance(effect, Sleep):
            return await anyio.sleep(effect.seconds)
        assert isinstance(effect, Login)
        # Made here: the client may be created outside of the event loop.
        self._lock = self._lock or anyio.Lock()
        async with self._lock:
            return await self.run(effect.steps)

    async def _send(self, request: HttpRequest, timeout: float) -> HttpAnswer:
        try:
            with anyio.fail_after(timeout):
                response = await self._client.send(
                    build(self._client, request, timeout), stream=True, follow_redirects=False
                )
                if is_left_open(request, response):
                    return answer_of(response, b"")
                try:
                    return answer_of(response, await response.aread())
                finally:
                    await response.aclose()
        except (TimeoutError, httpx.TimeoutException) as error:
            raise late(request, timeout) from error
        except httpx.HTTPError as error:
            raise broken(request) from error
