"""
A call as steps: a generator that yields what has to be done and gets the outcome. Both clients run the same
steps, one by waiting, the other asynchronously.
"""

from __future__ import annotations

import json
import random
import time
from collections.abc import Generator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, TypeAlias, TypeVar, Union

import httpx

from . import _retry
from .errors import PaylinkApiError, PaylinkError

T = TypeVar("T")


@dataclass(frozen=True)
class Limits:
    """In seconds: for one attempt, and for a call with all its attempts and delays."""

    timeout: float = 30.0
    deadline: float = 120.0
    max_retries: int = 3


@dataclass(frozen=True)
class HttpRequest:
    name: str
    """The name in messages: never the address, whose query may contain personal data."""
    method: str
    url: str
    headers: Mapping[str, str] = field(repr=False)
    content: bytes | None = field(repr=False)
    is_safe_to_repeat: bool
    """Whether the service recognises a repeated request."""
    is_json: bool
    """False to return the response itself, with its body unread."""


@dataclass(frozen=True)
class Send:
    """Send a request once. The outcome is an HttpAnswer. It is thrown a PaylinkError if there is none."""

    request: HttpRequest
    timeout: float


@dataclass(frozen=True)
class Sleep:
    seconds: float


@dataclass(frozen=True)
class Login:
    """Hold the lock of the login, and run these steps."""

    steps: Steps[Any]


@dataclass(frozen=True)
class HttpAnswer:
    status: int
    headers: httpx.Headers
    text: str
    """Empty for a response whose body is unread."""
    response: httpx.Response


Effect: TypeAlias = Union[Send, Sleep, Login]
Steps: TypeAlias = Generator[Effect, Any, T]


@dataclass(frozen=True)
class Answer:
    status: int
    headers: httpx.Headers
    value: Any


def send(request: HttpRequest, limits: Limits, ends_at: float) -> Steps[Answer]:
    """Sends a request, with retries where they can help. Raises the last error when no retry or time is left."""
    retry_count = 1
    while True:
        left = ends_at - time.monotonic()
        try:
            answer: HttpAnswer = yield Send(request, max(0.001, min(limits.timeout, left)))
            return read_answer(answer, request.is_json)
        except PaylinkError as error:
            if retry_count > limits.max_retries or not _retry.is_retryable(error, request.is_safe_to_repeat):
                raise
            wait = _retry.wait_before_retry(error, retry_count, random.random())
            # Waiting past the deadline would only hide the service's error.
            if time.monotonic() + wait >= ends_at:
                raise
        yield Sleep(wait)
        retry_count += 1


def read_answer(answer: HttpAnswer, is_json: bool) -> Answer:
    is_success = 200 <= answer.status < 300
    if is_success and not is_json:
        return Answer(answer.status, answer.headers, answer.response)
    if not is_success:
        raise to_api_error(answer.status, answer.headers, answer.text)
    if answer.text == "":
        return Answer(answer.status, answer.headers, None)
    try:
        return Answer(answer.status, answer.headers, json.loads(answer.text))
    except ValueError:
        raise to_api_error(answer.status, answer.headers, "") from None


def to_api_error(status: int, headers: httpx.Headers, text: str) -> PaylinkApiError:
    """Any response as an error: a problem document has all details, a proxy's response only its status."""
    problem = read_problem(text)
    retry_after = _retry.read_retry_after(headers.get("retry-after"), time.time())
    if problem is None:
        return PaylinkApiError(
            status=status,
            code="unreadable_answer",
            message=f"The answer with status {status} is not one of Paylink.",
            request_id=headers.get("x-request-id"),
            retry_after=retry_after,
        )
    errors = [error for error in problem["errors"] if isinstance(error, dict)]
    faults = "".join(f" {error.get('field')}: {error.get('detail')}" for error in errors)
    return PaylinkApiError(
        status=status,
        code=problem["code"],
        message=f"{status} {problem['code']}: {sentences_of(problem)}{faults}",
        errors=errors,
        request_id=problem.get("requestId") or headers.get("x-request-id"),
        retry_after=retry_after,
    )


def sentences_of(problem: Mapping[str, Any]) -> str:
    """The title, and the detail unless it is the same."""
    title, detail = str(problem.get("title") or ""), str(problem["detail"])
    if title == "" or detail.startswith(title):
        return detail
    return f"{title.rstrip(' .:')}. {detail}".strip()


def read_problem(text: str) -> dict[str, Any] | None:
    try:
        value = json.loads(text)
    except ValueError:
        return None
    is_problem = (
        isinstance(value, dict)
        and isinstance(value.get("code"), str)
        and isinstance(value.get("detail"), str)
        and isinstance(value.get("errors"), list)
    )
    return value if is_problem else None


def read_limits(current: Limits, timeout: float | None, deadline: float | None, retries: int | None) -> Limits:
    limits = replace(
        current,
        timeout=current.timeout if timeout is None else timeout,
        deadline=current.deadline if deadline is None else deadline,
        max_retries=current.max_retries if retries is None else retries,
    )
    if not (0 < limits.timeout <= 2_000_000 and 0 < limits.deadline <= 2_000_000 and limits.max_retries >= 0):
        raise PaylinkError(
            "invalid_option",
            "timeout and deadline are seconds, more than 0 and up to 23 days, and max_retries is 0 or more.",
        )
    return limits
