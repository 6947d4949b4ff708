"""The clients, with all operations of the API. Neither shows its credentials, however it is printed."""

from __future__ import annotations

from collections.abc import Mapping
from types import TracebackType
from typing import Any, Literal

import httpx

from ._base import CallOptions
from ._calls import Caller
from ._options import Credentials
from ._resources import AsyncResources, Resources
from ._routes import OperationId
from ._run import AsyncRunner, Runner
from ._steps import Steps
from .redirect import Address, Expected, RedirectResult, verify_steps


class _Options:
    def __init__(
        self,
        base_url: str,
        *,
        service_key: str | None,
        email: str | None,
        password: str | None,
        mode: Literal["test", "live"] | None,
        api_key: str | None,
        credentials: Credentials | None,
        timeout: float | None,
        deadline: float | None,
        max_retries: int | None,
    ) -> None:
        self._caller = Caller(
            base_url=base_url,
            service_key=service_key,
            email=email,
            password=password,
            mode=mode,
            api_key=api_key,
            credentials=credentials,
            timeout=timeout,
            deadline=deadline,
            max_retries=max_retries,
        )

    def _verify(self, address: Address, expect: Expected | None) -> Steps[RedirectResult]:
        company_id = yield from self._caller.company_id()
        return (yield from verify_steps(address, self._caller.base_url, company_id, expect))


class Paylink(_Options, Resources):
    """
    A client of a Paylink service. Make one and keep it: its calls share one login and their connections, and threads
    may share it. Give a `service_key`, or `email` and `password` of an account, or the `credentials` of a login.
    """

    def __init__(
        self,
        base_url: str,
        *,
        service_key: str | None = None,
        email: str | None = None,
        password: str | None = None,
        mode: Literal["test", "live"] | None = None,
        api_key: str | None = None,
        credentials: Credentials | None = None,
        timeout: float | None = None,
        deadline: float | None = None,
        max_retries: int | None = None,
        http_client: httpx.Client | None = None,
    ) -> None:
        super().__init__(
            base_url,
            service_key=service_key,
            email=email,
            password=password,
            mode=mode,
            api_key=api_key,
            credentials=credentials,
            timeout=timeout,
            deadline=deadline,
            max_retries=max_retries,
        )
        self._own_client = httpx.Client() if http_client is None else None
        self._runner = Runner(http_client or self._own_client or httpx.Client())
        self._add_resources(self.request)

    def request(
        self,
        operation: OperationId,
        *,
        path: Mapping[str, str] | None = None,
        query: Mapping[str, Any] | None = None,
        body: Any = None,
        content_type: str | None = None,
        options: CallOptions | None = None,
    ) -> Any:
        """
        Performs any operation of the API by its name, with the names of openapi.json in `path`, `query` and `body`.
        Returns the answer as its model, or for a file an httpx.Response with its body unread.
        """
        return self._runner.run(
            self._caller.perform(
                operation, path=path, query=query, body=body, content_type=content_type, options=options
            )
        )

    def verify_redirect(self, address: Address, expect: Expected | None = None) -> RedirectResult:
        """Verifies the address with which a customer returned; see the function of this name."""
        return self._runner.run(self._verify(address, expect))

    def close(self) -> None:
        """Closes the connections, unless you gave the `http_client`."""
        if self._own_client is not None:
            self._own_client.close()

    def __enter__(self) -> Paylink:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


class AsyncPaylink(_Options, AsyncResources):
    """The same client with asynchronous calls, for asyncio and trio. Tasks may share it."""

    def __init__(
        self,
        base_url: str,
        *,
        service_key: str | None = None,
        email: str | None = None,
        password: str | None = None,
        mode: Literal["test", "live"] | None = None,
        api_key: str | None = None,
        credentials: Credentials | None = None,
        timeout: float | None = None,
        deadline: float | None = None,
        max_retries: int | None = None,
        http_client: httpx.AsyncClient | None = None,
    ) -> None:
        super().__init__(
            base_url,
            service_key=service_key,
            email=email,
            password=password,
            mode=mode,
            api_key=api_key,
            credentials=credentials,
            timeout=timeout,
            deadline=deadline,
            max_retries=max_retries,
        )
        self._own_client = httpx.AsyncClient() if http_client is None else None
        self._runner = AsyncRunner(http_client or self._own_client or httpx.AsyncClient())
        self._add_resources(self.request)

    async def request(
        self,
        operation: OperationId,
        *,
        path: Mapping[str, str] | None = None,
        query: Mapping[str, Any] | None = None,
        body: Any = None,
        content_type: str | None = None,
        options: CallOptions | None = None,
    ) -> Any:
        """Performs any operation of the API by its name; see `Paylink.request`."""
        return await self._runner.run(
            self._caller.perform(
                operation, path=path, query=query, body=body, content_type=content_type, options=options
            )
        )

    async def verify_redirect(self, address: Address, expect: Expected | None = None) -> RedirectResult:
        """Verifies the address with which a customer returned; see the function of this name."""
        return await self._runner.run(self._verify(address, expect))

    async def aclose(self) -> None:
        """Closes the connections, unless you gave the `http_client`."""
        if self._own_client is not None:
            await self._own_client.aclose()

    async def __aenter__(self) -> AsyncPaylink:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.aclose()
