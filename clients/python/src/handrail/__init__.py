"""Handrail over HTTP: `Client` starts and reads runs, `Worker` runs workflows whose code is Python."""

from .client import Client, Run, RunPage
from .context import Context
from .errors import ApiError, Final, MayHaveHappened, RetryAfter, StepFailed
from .values import decode, encode
from .worker import Worker
from .workflow import Limit, Rate, Retry, Singleton

__all__ = [
    "ApiError",
    "Client",
    "Context",
    "Final",
    "Limit",
    "MayHaveHappened",
    "Rate",
    "Retry",
    "RetryAfter",
    "Run",
    "RunPage",
    "Singleton",
    "StepFailed",
    "Worker",
    "decode",
    "encode",
]
