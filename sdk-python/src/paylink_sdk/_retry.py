"""Decides whether a request is retried, and after which delay. It never repeats what could happen twice."""

from __future__ import annotations

import email.utils
import math
import re

from .errors import PaylinkApiError, PaylinkConnectionError, PaylinkTimeoutError

FIRST_WAIT = 0.25
LONGEST_WAIT = 8.0

UNCLEAR_STATUSES = (408, 500, 502, 504)
"""Statuses after which the effect of a request is unknown."""

THROTTLED_STATUSES = (429, 503)
"""Statuses of requests that had no effect yet."""


def is_retryable(error: Exception, is_safe: bool) -> bool:
    """Whether the same request may succeed later. `is_safe`: the service recognises a repeated request."""
    if isinstance(error, (PaylinkTimeoutError, PaylinkConnectionError)):
        return is_safe
    if not isinstance(error, PaylinkApiError):
        return False
    if error.status in THROTTLED_STATUSES or error.code == "idempotency_in_progress":
        return True
    return is_safe and error.status in UNCLEAR_STATUSES


def wait_before_retry(error: Exception, retry_count: int, random: float) -> float:
    """
    The delay after some failed attempts: what the service asks for, and a random time up to a limit that
    doubles, so that clients do not retry together. `random` is from 0 to less than 1.
    """
    limit: float = min(LONGEST_WAIT, FIRST_WAIT * 2 ** (retry_count - 1))
    asked = error.retry_after if isinstance(error, PaylinkApiError) else None
    return (asked or 0) + random * limit


def read_retry_after(header: str | None, now: float) -> int | None:
    """The header Retry-After in seconds, from a number or a date; None for anything else."""
    if header is None:
        return None
    if re.fullmatch(r"[0-9]{1,9}", header.strip()):
        return int(header)
    try:
        at = email.utils.parsedate_to_datetime(header).timestamp()
    except (TypeError, ValueError, OverflowError):
        return None
    return max(0, math.ceil(at - now))
