from __future__ import annotations

import email.utils

from paylink_sdk import PaylinkApiError, PaylinkConnectionError, PaylinkError
from paylink_sdk._retry import is_retryable, read_retry_after, wait_before_retry


def of_service(status: int, code: str = "x", retry_after: int | None = None) -> PaylinkApiError:
    return PaylinkApiError(status=status, code=code, message="m", retry_after=retry_after)


def test_only_what_the_service_recognises_is_repeated_after_an_unclear_failure() -> None:
    for status in (408, 500, 502, 504):
        assert is_retryable(of_service(status), True)
        assert not is_retryable(of_service(status), False)
    for error in (of_service(429), of_service(503), of_service(409, "idempotency_in_progress")):
        assert is_retryable(error, False)
    assert not is_retryable(of_service(409), True)
    assert not is_retryable(of_service(401), True)
    assert is_retryable(PaylinkConnectionError("m"), True)
    assert not is_retryable(PaylinkError("x", "m"), True)


def test_the_delay_doubles_up_to_a_limit_after_what_the_service_asks_for() -> None:
    waits = [wait_before_retry(of_service(500), count, 1) for count in range(1, 9)]
    assert waits == [0.25, 0.5, 1, 2, 4, 8, 8, 8]
    assert wait_before_retry(of_service(429, retry_after=3), 1, 0) == 3


def test_retry_after_is_a_number_or_a_date() -> None:
    assert [read_retry_after(text, 0) for text in ("7", " 0 ", "soon", "-1", "1.5", None)] == [7, 0, None, None, None, None]
    date = email.utils.formatdate(1_000_000_060, usegmt=True)
    assert read_retry_after(date, 1_000_000_000.5) == 60
    assert read_retry_after(date, 1_000_000_100) == 0
