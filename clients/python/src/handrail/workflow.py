"""What a worker says of its workflows when it registers."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Callable, Mapping, Sequence

if TYPE_CHECKING:
    from .context import Context

Code = Callable[["Context", Any], Any]
"""A workflow's code, which runs again from its top on every claim: `def code(ctx, input)`."""
Undo = Callable[[Any, str], Any]
"""A compensation: gets the step's output and a key for the provider."""


@dataclass(frozen=True)
class Retry:
    """A retry policy; what is None is as the server has it. Delays are in milliseconds."""

    max_attempts: int | None = None
    initial_delay_ms: float | None = None
    factor: float | None = None
    max_delay_ms: float | None = None
    jitter: float | None = None

    def delays(self) -> dict[str, float]:
        return said(
            initialDelayMs=self.initial_delay_ms, factor=self.factor, maxDelayMs=self.max_delay_ms, jitter=self.jitter
        )

    def as_json(self) -> dict[str, float]:
        return {**said(maxAttempts=self.max_attempts), **self.delays()}


@dataclass(frozen=True)
class Limit:
    """At most `limit` runs at once; with `key`, a JSON Pointer into the input, for each of its values."""

    limit: int
    key: str | None = None

    def as_json(self) -> dict[str, Any]:
        return said(limit=self.limit, key=self.key)


@dataclass(frozen=True)
class Rate:
    """At most `limit` starts of runs in `per_ms` milliseconds; with `key`, for each of its values."""

    limit: int
    per_ms: int
    key: str | None = None

    def as_json(self) -> dict[str, Any]:
        return said(limit=self.limit, perMs=self.per_ms, key=self.key)


@dataclass(frozen=True)
class Singleton:
    """One live run; with `key`, for each of its values. `on_conflict`: "refuse" a second start, or give the "existing" run."""

    key: str | None = None
    on_conflict: str | None = None

    def as_json(self) -> dict[str, Any]:
        return said(key=self.key, onConflict=self.on_conflict)


@dataclass(frozen=True)
class Workflow:
    """A version of a workflow, with its code."""

    name: str
    code: Code
    version: int = 1
    title: str | None = None
    input_schema: Mapping[str, Any] | None = None
    retry: Retry | None = None
    timeout_ms: float | None = None
    on_failure: str | None = None
    tags: Mapping[str, str] | None = None
    run_title: str | None = None
    masked: Sequence[str] | None = None
    searchable: Sequence[str] | None = None
    four_eyes: Sequence[str] | None = None
    concurrency: Limit | None = None
    rate_limit: Rate | None = None
    singleton: Singleton | None = None
    undos: Mapping[str, Undo] = field(default_factory=dict)

    def as_json(self) -> dict[str, Any]:
        return said(
            name=self.name,
            version=self.version,
            title=self.title,
            inputSchema=self.input_schema,
            retry=self.retry and self.retry.as_json(),
            timeoutMs=self.timeout_ms,
            onFailure=self.on_failure,
            tags=self.tags,
            runTitle=self.run_title,
            masked=self.masked,
            searchable=self.searchable,
            fourEyes=self.four_eyes,
            concurrency=self.concurrency and self.concurrency.as_json(),
            rateLimit=self.rate_limit and self.rate_limit.as_json(),
            singleton=self.singleton and self.singleton.as_json(),
        )


def said(**fields: Any) -> dict[str, Any]:
    """The fields that were given."""
    return {name: value for name, value in fields.items() if value is not None}
