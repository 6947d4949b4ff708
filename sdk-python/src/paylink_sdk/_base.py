"""What the generated modules share: models, the options of a call, and values that were left out."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from typing import TYPE_CHECKING, Any, Final, NamedTuple, Protocol, TypeAlias, Union, cast

import httpx
from pydantic import AliasChoices, BaseModel, ConfigDict, TypeAdapter, ValidationError, ValidationInfo, model_validator

__all__ = [
    "OMITTED",
    "AsyncRequest",
    "CallOptions",
    "FROM_SERVICE",
    "Model",
    "Omitted",
    "Open",
    "QueryText",
    "Request",
    "Route",
]

if TYPE_CHECKING:
    from typing import Literal as Open
else:

    class Open:
        """A Literal to type checkers. At run time any string: a newer service may have more values."""

        def __class_getitem__(cls, _values: object) -> type[str]:
            return str


FROM_SERVICE: Final = {"is_from_service": True}
"""The validation context of what the service sends."""


class Model(BaseModel):
    """An object of the API. It keeps members that this version does not know, in `model_extra`."""

    model_config = ConfigDict(
        extra="allow", populate_by_name=True, defer_build=True, protected_namespaces=()
    )

    @model_validator(mode="wrap")
    @classmethod
    def _accept_other_releases(cls, value: Any, handler: Any, info: ValidationInfo) -> Any:
        """What a service of another release sends is never refused: missing members are None."""
        try:
            return handler(value)
        except ValidationError:
            if info.context is not FROM_SERVICE or not isinstance(value, Mapping):
                raise
        cls.model_rebuild()
        members = dict(value)
        fields: dict[str, Any] = {}
        for name, field in cls.model_fields.items():
            adapter: TypeAdapter[Any] = TypeAdapter(cast(Any, field.annotation))
            alias = field.validation_alias
            choices = alias.choices if isinstance(alias, AliasChoices) else [alias or name]
            given = [str(choice) for choice in choices if choice in members]
            raw = members.pop(given[0], None) if given else None
            try:
                fields[name] = adapter.validate_python(raw, context=FROM_SERVICE)
            except ValidationError:
                fields[name] = raw
        return cls.model_construct(**fields, **members)


class Omitted:
    """The type of OMITTED."""

    def __repr__(self) -> str:
        return "OMITTED"

    def __bool__(self) -> bool:
        return False


OMITTED: Final = Omitted()
"""A parameter that is not sent. None is sent as null, which clears a value."""

QueryText: TypeAlias = Union[str, int, float, bool, Decimal, datetime]
"""A parameter of the query that the service reads from text."""


@dataclass(frozen=True)
class CallOptions:
    """Options of a single call, in seconds. What is None is as the client was created with."""

    timeout: float | None = None
    """For one attempt."""
    deadline: float | None = None
    """For the call with all its attempts and delays."""
    max_retries: int | None = None
    idempotency_key: str | None = None
    """For a POST: the service carries out one request per key. Without it, the call generates one."""
    on_answer: Callable[[int, httpx.Headers], object] | None = None
    """Receives the status and the headers of the final response."""


class Route(NamedTuple):
    """Method and path; whether it takes credentials, and whether it answers JSON; the types of a body that is a file."""

    method: str
    path: str
    is_open: bool
    is_json: bool
    model: type[Model] | None
    file_types: tuple[str, ...]


class Request(Protocol):
    """Performs an operation by its name. The answer is the operation's model."""

    def __call__(
        self,
        operation: Any,
        *,
        path: Mapping[str, str] | None = None,
        query: Mapping[str, Any] | None = None,
        body: Any = None,
        content_type: str | None = None,
        options: CallOptions | None = None,
    ) -> Any: ...


class AsyncRequest(Protocol):
    """The same for the asynchronous client."""

    async def __call__(
        self,
        operation: Any,
        *,
        path: Mapping[str, str] | None = None,
        query: Mapping[str, Any] | None = None,
        body: Any = None,
        content_type: str | None = None,
        options: CallOptions | None = None,
    ) -> Any: ...
