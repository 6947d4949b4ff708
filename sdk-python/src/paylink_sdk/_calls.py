"""Prepares calls of the API: address, headers, body, credentials, and one new login after they were refused."""

from __future__ import annotations

import email.utils
import json
import re
import time
import uuid
from collections.abc import Mapping, Sequence
from datetime import datetime, timezone
from decimal import Decimal
from importlib.metadata import PackageNotFoundError, version
from typing import Any
from urllib.parse import quote, urlencode

from pydantic import BaseModel

from ._base import FROM_SERVICE, OMITTED, CallOptions
from ._options import Credentials, check_credentials, read_base_url, reject
from ._routes import ROUTES
from ._steps import Answer, HttpRequest, Limits, Login, Steps, read_limits, send
from .errors import PaylinkApiError, PaylinkError

EARLIEST_RENEWAL = 60.0

try:
    VERSION = version("paylink-sdk")
except PackageNotFoundError:  # the sources, without an installation
    VERSION = "0"


class Caller:
    """The calls of a client as steps. Credentials are never part of a `repr` or a message."""

    def __init__(
        self,
        *,
        base_url: str,
        service_key: str | None,
        email: str | None,
        password: str | None,
        mode: str | None,
        api_key: str | None,
        credentials: Credentials | None,
        timeout: float | None,
        deadline: float | None,
        max_retries: int | None,
    ) -> None:
        check_credentials(
            service_key=service_key,
            email=email,
            password=password,
            mode=mode,
            api_key=api_key,
            credentials=credentials,
        )
        self.base_url = read_base_url(base_url)
        self.limits = read_limits(Limits(), timeout, deadline, max_retries)
        self._service_key = service_key
        self._email, self._password, self._mode, self._api_key = email, password, mode, api_key
        self._given = credentials
        self._session: Credentials | None = None
        self._renew_at = 0.0
        self._company_id: str | None = None

    def perform(
        self,
        operation: str,
        *,
        path: Mapping[str, str] | None = None,
        query: Mapping[str, Any] | None = None,
        body: Any = None,
        content_type: str | None = None,
        options: CallOptions | None = None,
    ) -> Steps[Any]:
        """Performs an operation. Returns the answer as its model, or the response with its body unread."""
        options = options or CallOptions()
        limits = read_limits(self.limits, options.timeout, options.deadline, options.max_retries)
        route = ROUTES.get(operation)
        if route is None:
            reject(f"There is no operation {operation}.")
        request = self._prepare(operation, path or {}, query or {}, body, content_type, options)
        ends_at = time.monotonic() + limits.deadline
        if route.is_open:
            answer = yield from send(request, limits, ends_at)
        else:
            answer = yield from self._send_signed(request, limits, ends_at)
        # The next login of this client must use the new password.
        if operation == "changePassword" and self._password is not None:
            self._password = str(to_json(body)["newPassword"])
        if options.on_answer is not None:
            options.on_answer(answer.status, answer.headers)
        if route.model is None or answer.value is None:
            return answer.value
        return route.model.model_validate(answer.value, context=FROM_SERVICE)

    def company_id(self) -> Steps[str]:
        """The company of the credentials."""
        if self._service_key is None:
            return (yield from self._current()).company_id
        if self._company_id is None:
            # Needs no scope.
            access = yield from self.perform("getAccess")
            self._company_id = access.company_id
        return self._company_id

    def _send_signed(self, request: HttpRequest, limits: Limits, ends_at: float) -> Steps[Answer]:
        """Sends with the current credentials; if they are refused, once more with those of a new login."""
        if self._service_key is not None:
            signed = with_headers(request, {"authorization": f"Bearer {self._service_key}"})
            return (yield from send(signed, limits, ends_at))
        credentials = yield from self._current()
        try:
            return (yield from send(sign(request, credentials), limits, ends_at))
        except PaylinkApiError as error:
            if error.status != 401 or self._given is not None:
                raise
        # Another caller may have renewed the session meanwhile: keep the new one.
        if self._session is credentials:
            self._session = None
        return (yield from send(sign(request, (yield from self._current())), limits, ends_at))

    def _current(self) -> Steps[Credentials]:
        if self._given is not None:
            return self._given
        if self._session is None or time.monotonic() >= self._renew_at:
            yield Login(self._log_in())
        if self._session is None:
            raise PaylinkError("unreadable_answer", "The login answered without credentials.")
        return self._session

    def _log_in(self) -> Steps[None]:
        """Under the lock: whoever waited for it finds the session of the one before."""
        if self._session is not None and time.monotonic() < self._renew_at:
            return
        body = {"email": self._email, "password": self._password}
        if self._mode is not None:
            body["mode"] = self._mode
        request = self._prepare("logIn", {}, {}, body, None, CallOptions(), is_safe_to_repeat=True)
        answer = yield from send(request, self.limits, time.monotonic() + self.limits.deadline)
        value = answer.value if isinstance(answer.value, dict) else {}
        token, expires_at = value.get("token"), value.get("expiresAt")
        api_key, company_id = answer.headers.get("x-api-key"), answer.headers.get("x-company-id")
        if not token or not expires_at or not api_key or not company_id:
            raise PaylinkError("unreadable_answer", "The login answered without credentials.")
        # Use the service's clock, because this machine's may be wrong.
        life = datetime.fromisoformat(expires_at.replace("Z", "+00:00")).timestamp() - sent_at(answer)
        self._session = Credentials(token, api_key, company_id)
        # The key of the last login identifies this client to the service at the next one.
        self._api_key = api_key
        self._renew_at = time.monotonic() + life - min(EARLIEST_RENEWAL, life / 10)

    def _prepare(
        self,
        operation: str,
        path: Mapping[str, str],
        query: Mapping[str, Any],
        body: Any,
        content_type: str | None,
        options: CallOptions,
        *,
        is_safe_to_repeat: bool = False,
    ) -> HttpRequest:
        """Everything in a request except its credentials."""
        route = ROUTES[operation]
        has_key = route.method == "POST" and not route.is_open
        headers = {
            "accept": "application/json" if route.is_json else "*/*",
            "user-agent": f"paylink-sdk-python/{VERSION}",
        }
        if has_key:
            headers["idempotency-key"] = options.idempotency_key or uuid.uuid4().hex
        if operation == "logIn" and self._api_key:
            headers["x-api-key"] = self._api_key
        content = None
        if route.file_types:
            content = read_file(body)
            headers["content-type"] = type_of_file(content_type, route.file_types)
        elif body is not None:
            content = json.dumps(to_json(body), allow_nan=False).encode()
            headers["content-type"] = "application/json"
        return HttpRequest(
            name=operation,
            method=route.method,
            url=self.base_url + fill_path(route.path, path) + write_query(query),
            headers=headers,
            content=content,
            is_safe_to_repeat=is_safe_to_repeat or has_key or route.method in ("GET", "PUT", "DELETE"),
            is_json=route.is_json,
        )


def with_headers(request: HttpRequest, headers: Mapping[str, str]) -> HttpRequest:
    return HttpRequest(**{**vars(request), "headers": {**request.headers, **headers}})


def sign(request: HttpRequest, credentials: Credentials) -> HttpRequest:
    return with_headers(
        request,
        {
            "authorization": f"Bearer {credentials.token}",
            "x-api-key": credentials.api_key,
            "x-company-id": credentials.company_id,
        },
    )


def sent_at(answer: Answer) -> float:
    try:
        return email.utils.parsedate_to_datetime(answer.headers["date"]).timestamp()
    except (KeyError, TypeError, ValueError):
        return time.time()


def read_file(body: Any) -> bytes:
    if isinstance(body, str):
        return body.encode()
    if isinstance(body, (bytes, bytearray, memoryview)):
        return bytes(body)
    raise TypeError("The file must be bytes, such as open(name, 'rb').read().")


def type_of_file(given: str | None, types: Sequence[str]) -> str:
    if given is None and len(types) == 1:
        return types[0]
    if given in types:
        return str(given)
    raise TypeError(f"content_type must be one of {', '.join(types)}.")


def to_json(value: Any) -> Any:
    """A value for JSON: without what was left out, and with amounts exactly as they are written."""
    if isinstance(value, BaseModel):
        return to_json(value.model_dump(by_alias=True, exclude_unset=True))
    if isinstance(value, Mapping):
        return {str(name): to_json(member) for name, member in value.items() if member is not OMITTED}
    if isinstance(value, (list, tuple)):
        return [to_json(member) for member in value]
    if isinstance(value, Decimal):
        return number_of(value)
    if isinstance(value, datetime):
        return text_of(value)
    return value


def number_of(value: Decimal) -> float | int:
    number = float(value)
    # repr gives the shortest text of a float, which JSON has, too.
    if not value.is_finite() or Decimal(repr(number)) != value:
        reject("A Decimal has more digits than a number in JSON can have.")
    return number


def text_of(value: Any) -> str:
    if isinstance(value, datetime):
        if value.tzinfo is None:
            reject("A datetime needs a time zone, such as datetime.now(timezone.utc).")
        return value.astimezone(timezone.utc).isoformat().replace("+00:00", "Z")
    if isinstance(value, bool):
        return "true" if value else "false"
    return format(value, "f") if isinstance(value, Decimal) else str(value)


def fill_path(path: str, values: Mapping[str, str]) -> str:
    def fill(match: re.Match[str]) -> str:
        value = str(values.get(match[1], ""))
        # An empty or dotted part would lead to another operation.
        if re.fullmatch(r"\.{0,2}", value):
            reject(f"{match[1]} must not be empty.")
        return quote(value, safe="")

    return re.sub(r"\{(\w+)\}", fill, path)


def write_query(query: Mapping[str, Any]) -> str:
    texts = {name: text_of(value) for name, value in query.items() if value is not OMITTED and value is not None}
    return f"?{urlencode(texts)}" if texts else ""
