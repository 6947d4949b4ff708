"""
Checks the options of a client before anything is sent: each error names the option and the remedy. No message
contains a value, because a password may be in the wrong place.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Any, NoReturn
from urllib.parse import urlsplit

from .errors import PaylinkError


@dataclass(frozen=True)
class Credentials:
    """The three credentials of a login."""

    token: str = field(repr=False)
    api_key: str = field(repr=False)
    company_id: str


def reject(message: str) -> NoReturn:
    raise PaylinkError("invalid_option", message)


def check_text(value: object, name: str, what: str) -> str:
    if value is None:
        reject(f"The option {name} is missing: {what}.")
    if not isinstance(value, str):
        reject(f"The option {name} must be a string: {what}.")
    if value.strip() == "":
        reject(f"The option {name} is empty: {what}.")
    return value


def check_credentials(
    *,
    service_key: Any,
    email: Any,
    password: Any,
    mode: Any,
    api_key: Any,
    credentials: Any,
) -> None:
    """Exactly one of a service key, a login and credentials."""
    login = {"email": email, "password": password, "mode": mode, "api_key": api_key}
    others = [name for name, value in {**login, "credentials": credentials}.items() if value is not None]
    if service_key is not None:
        check_text(service_key, "service_key", "a service key, pls_…")
        if not re.fullmatch(r"pls_[\x21-\x7e]+", service_key):
            reject("The option service_key must begin with pls_test_ or pls_live_.")
        if others:
            reject(f"Give either service_key or {others[0]}, not both.")
        return
    if credentials is not None:
        if not isinstance(credentials, Credentials):
            reject("The option credentials must be Credentials(token, api_key, company_id).")
        for name in ("token", "api_key", "company_id"):
            check_text(getattr(credentials, name), f"credentials.{name}", "a value of the login")
        if others != ["credentials"]:
            reject(f"Give either credentials or {others[0]}, not both.")
        return
    if email is None and password is None:
        reject("Give a service_key, or email and password of an account, or the credentials of a login.")
    check_text(email, "email", "the address of the account")
    check_text(password, "password", "the password of the account")
    if mode not in (None, "test", "live"):
        reject("The option mode must be test or live; without it, the setting of the company holds.")
    if api_key is not None:
        check_text(api_key, "api_key", "an API key of an earlier login of the account")


def read_base_url(base_url: object) -> str:
    """
    The service's own address: without trailing slashes, and without the `/v1` with which the API's paths begin.
    """
    form = "the address of the service, such as https://pay.example.com"
    text = check_text(base_url, "base_url", form).strip()
    try:
        parts = urlsplit(text)
        port = parts.port
    except ValueError:
        reject(f"The option base_url is not a web address. It must be {form}.")
    if parts.scheme not in ("http", "https"):
        reject(f"The option base_url must begin with http:// or https://. It must be {form}.")
    if not parts.hostname:
        reject(f"The option base_url is not a web address. It must be {form}.")
    if parts.username is not None or parts.password is not None or parts.query or parts.fragment:
        reject(f"The option base_url must have no user name, query or fragment. It must be {form}.")
    host = f"[{parts.hostname}]" if ":" in parts.hostname else parts.hostname
    is_usual = port is None or port == {"http": 80, "https": 443}[parts.scheme]
    path = re.sub(r"/+v1$", "", parts.path.rstrip("/"))
    return f"{parts.scheme}://{host}{'' if is_usual else f':{port}'}{path}"
