"""A service that answers what a test says, and the same test for both clients."""

from __future__ import annotations

import inspect
import json
from collections.abc import Callable
from typing import Any

import anyio
import httpx
from paylink_sdk import AsyncPaylink, Paylink

BASE = "https://pay.example.com"
KINDS = ("sync", "asyncio", "trio")

Handler = Callable[[httpx.Request], httpx.Response]


class Stub:
    """Records the requests and answers them in turn; the last answer is repeated."""

    def __init__(self, *answers: httpx.Response | Exception | Handler) -> None:
        self.answers = list(answers)
        self.requests: list[httpx.Request] = []

    def __call__(self, request: httpx.Request) -> httpx.Response:
        self.requests.append(request)
        answer = self.answers.pop(0) if len(self.answers) > 1 else self.answers[0]
        if isinstance(answer, Exception):
            raise answer
        return answer if isinstance(answer, httpx.Response) else answer(request)

    def bodies(self) -> list[Any]:
        return [json.loads(request.content) for request in self.requests]


def answer(value: object, status: int = 200, **headers: str) -> Handler:
    named = {name.replace("_", "-"): text for name, text in headers.items()}
    return lambda _request: httpx.Response(status, json=value, headers=named)


def problem(status: int, code: str, **headers: str) -> Handler:
    errors = [{"field": "amount", "detail": "must be positive"}] if status == 422 else []
    value = {"code": code, "title": "Title.", "detail": "Detail.", "errors": errors, "requestId": "req-1"}
    return answer(value, status, **headers)


def logged_in(*answers: httpx.Response | Exception | Handler) -> Stub:
    """Answers logins by itself, each with a token of its own."""
    stub = Stub(*answers)
    stub.logins = []  # type: ignore[attr-defined]
    plain = stub.__call__

    def handle(request: httpx.Request) -> httpx.Response:
        if request.url.path != "/v1/auth/login":
            return plain(request)
        stub.logins.append(request)  # type: ignore[attr-defined]
        number = len(stub.logins)  # type: ignore[attr-defined]
        body = {"token": f"token-{number}", "expiresAt": "2999-01-01T00:00:00Z"}
        headers = {"x-api-key": f"plk_{number}", "x-company-id": "co_1"}
        return httpx.Response(200, json=body, headers=headers)

    stub.handle = handle  # type: ignore[attr-defined]
    return stub


def use(kind: str, handler: Any, work: Callable[[Any], Any], **options: Any) -> Any:
    """Runs work with a client of a kind. Work returns a value, something to await, or a list to collect."""
    handler = getattr(handler, "handle", handler)
    given = options or {"service_key": "pls_test_1"}
    transport = httpx.MockTransport(handler)
    if kind == "sync":
        with httpx.Client(transport=transport) as http:
            found = work(Paylink(BASE, http_client=http, **given))
            return list(found) if hasattr(found, "__iter__") and hasattr(found, "page") else found

    async def main() -> Any:
        async with httpx.AsyncClient(transport=transport) as http:
            found = work(AsyncPaylink(BASE, http_client=http, **given))
            if hasattr(found, "__aiter__"):
                return [item async for item in found]
            return await found if inspect.isawaitable(found) else found

    return anyio.run(main, backend=kind)
