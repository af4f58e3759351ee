"""Values as Handrail keeps them: JSON, and `{"$type": …, "value": …}` for what JSON lacks.

| Python | kept as | read as |
| --- | --- | --- |
| `datetime` with a time zone | `Date`, in milliseconds | `datetime` in UTC |
| `int` beyond 2**53 | `bigint` | `int` |
| `bytes` | `Uint8Array` | `bytes` |
| `set`, `frozenset` | `Set` | `set`, or a list if an item cannot be hashed |
| `dict` with keys that are not texts | `Map` | `dict`, or a list of pairs if a key cannot be hashed |
| `nan`, `inf`, `-0.0` | `number` | `float` |

JavaScript's `undefined` is read as `None`, a `URL` as its text, an `Error` as a dict of its fields.
"""

from __future__ import annotations

import base64
import json
import math
from datetime import datetime, timezone
from typing import Any, Callable

TYPE = "$type"
MAX_DEPTH = 100
"""Deeper values are refused, here and by the server."""
SAFE_INTEGER = 2**53 - 1


def encode(value: Any, depth: int = 0) -> Any:
    """The value as plain JSON. Raises TypeError for what cannot be kept, ValueError below 100 levels."""
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, int):
        return value if abs(value) <= SAFE_INTEGER else _tagged("bigint", str(value))
    if isinstance(value, float):
        return _number(value)
    if isinstance(value, str):
        return _text(value)
    if isinstance(value, (bytes, bytearray)):
        return _tagged("Uint8Array", base64.b64encode(value).decode())
    if isinstance(value, datetime):
        return _tagged("Date", _instant(value))
    return _encode_parts(value, depth)


def _encode_parts(value: Any, depth: int) -> Any:
    if depth >= MAX_DEPTH:
        raise ValueError(f"The value lies deeper than {MAX_DEPTH} levels, or contains itself.")
    if isinstance(value, (list, tuple)):
        return [encode(item, depth + 1) for item in value]
    if isinstance(value, (set, frozenset)):
        return _tagged("Set", [encode(item, depth + 1) for item in value])
    if not isinstance(value, dict):
        raise TypeError(f"A {type(value).__name__} cannot be kept. Return plain values from a step.")
    if not all(isinstance(key, str) for key in value):
        return _tagged("Map", [[encode(key, depth + 1), encode(item, depth + 1)] for key, item in value.items()])
    if all(_is_plain(key) and key != TYPE for key in value):
        return {key: encode(item, depth + 1) for key, item in value.items()}
    return _tagged("object", [[_text(key), encode(item, depth + 1)] for key, item in value.items()])


def decode(value: Any) -> Any:
    """The value that was kept. Raises ValueError for a `$type` that is not known."""
    if isinstance(value, list):
        return [decode(item) for item in value]
    if not isinstance(value, dict):
        return value
    if TYPE not in value:
        return {key: decode(item) for key, item in value.items()}
    read = _READ.get(value[TYPE])
    if read is None:
        raise ValueError(f'"{value[TYPE]}" is not a type of value that can be read.')
    return read(value.get("value"))


def decode_shown(value: Any) -> Any:
    """The same, for who may not see all of it: a value with masked parts is left as JSON."""
    try:
        return decode(value)
    except ValueError:
        return value


def _tagged(type_: str, value: Any) -> dict[str, Any]:
    return {TYPE: type_, "value": value}


def _number(value: float) -> Any:
    if math.isfinite(value) and not (value == 0 and math.copysign(1, value) < 0):
        return value
    if math.isnan(value):
        return _tagged("number", "NaN")
    return _tagged("number", "-0" if value == 0 else "Infinity" if value > 0 else "-Infinity")


def _is_plain(text: str) -> bool:
    return "\0" not in text and not any("\ud800" <= character <= "\udfff" for character in text)


def _text(text: str) -> Any:
    """What Postgres refuses in a text is written as the inside of a JSON text."""
    return text if _is_plain(text) else _tagged("string", json.dumps(text)[1:-1])


def _instant(value: datetime) -> str:
    if value.tzinfo is None:
        raise TypeError("A datetime needs a time zone, such as datetime.now(timezone.utc).")
    return value.astimezone(timezone.utc).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def _read_instant(value: str) -> datetime | None:
    return None if value == "Invalid Date" else datetime.fromisoformat(value.replace("Z", "+00:00"))


def _read_set(items: list[Any]) -> Any:
    read = [decode(item) for item in items]
    try:
        return set(read)
    except TypeError:
        return read


def _read_map(items: list[Any]) -> Any:
    read = [(decode(key), decode(item)) for key, item in items]
    try:
        return dict(read)
    except TypeError:
        return read


_READ: dict[str, Callable[[Any], Any]] = {
    "undefined": lambda _: None,
    "number": lambda value: float(value),
    "bigint": lambda value: int(value),
    "string": lambda value: json.loads(f'"{value}"'),
    "Date": _read_instant,
    "Map": _read_map,
    "Set": _read_set,
    "URL": lambda value: str(value),
    "Error": decode,
    "Uint8Array": lambda value: base64.b64decode(value),
    "object": lambda pairs: {decode(key): decode(item) for key, item in pairs},
}
