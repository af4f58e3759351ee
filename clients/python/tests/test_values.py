"""What is kept is what was given."""

import math
import unittest
from datetime import datetime, timedelta, timezone
from typing import Any

from handrail import decode, encode

SAME: list[Any] = [
    None,
    True,
    0,
    -(2**53) + 1,
    2**70,
    1.5,
    "Zoë 🚲 \u2028",
    "with NUL: \0, and half a pair: \ud83d",
    b"\x00\xff",
    datetime(2026, 2, 28, 23, 59, 59, 999000, tzinfo=timezone.utc),
    {1, 2},
    {1: "one", "two": 2},
    {"$type": "Date", "value": "not one"},
    {"__proto__": {"a": [1, [2, {}]]}},
    math.inf,
    -math.inf,
]


class Values(unittest.TestCase):
    def test_they_come_back_as_they_were(self) -> None:
        for value in SAME:
            with self.subTest(value=value):
                self.assertEqual(decode(encode(value)), value)

    def test_nan_and_minus_zero(self) -> None:
        self.assertTrue(math.isnan(decode(encode(math.nan))))
        self.assertEqual(math.copysign(1, decode(encode(-0.0))), -1)

    def test_what_python_lacks_is_read(self) -> None:
        self.assertIsNone(decode({"$type": "undefined"}))
        self.assertEqual(decode({"$type": "URL", "value": "https://example.com/"}), "https://example.com/")
        self.assertEqual(decode({"$type": "Map", "value": [[["a"], 1]]}), [(["a"], 1)])
        self.assertEqual(decode({"$type": "Set", "value": [{"a": 1}]}), [{"a": 1}])
        self.assertEqual(decode({"$type": "Error", "value": {"name": "E", "message": "no"}})["message"], "no")
        self.assertIsNone(decode({"$type": "Date", "value": "Invalid Date"}))

    def test_instants_are_in_utc(self) -> None:
        east = datetime(2026, 1, 1, 1, tzinfo=timezone(timedelta(hours=1)))
        self.assertEqual(encode(east), {"$type": "Date", "value": "2026-01-01T00:00:00.000Z"})

    def test_what_cannot_be_kept_is_refused(self) -> None:
        endless: list[Any] = []
        endless.append(endless)
        for value, error in ((object(), TypeError), (datetime(2026, 1, 1), TypeError), (endless, ValueError)):
            with self.assertRaises(error):
                encode(value)
        with self.assertRaises(ValueError):
            decode({"$type": "masked", "value": None})


if __name__ == "__main__":
    unittest.main()
