"""The app's own database, and its migrations: `python3 database.py` applies those that it does not have yet."""

from __future__ import annotations

import os
import sqlite3
from pathlib import Path

MIGRATIONS = Path(__file__).parent / "migrations"


def connect() -> sqlite3.Connection:
    connection = sqlite3.connect(os.environ.get("SHOP_DB", "shop.db"), timeout=10)
    connection.row_factory = sqlite3.Row
    return connection


def migrate() -> None:
    with connect() as database:
        done = database.execute("pragma user_version").fetchone()[0]
        for number, file in enumerate(sorted(MIGRATIONS.glob("*.sql")), start=1):
            if number > done:
                database.executescript(f"begin; {file.read_text()} pragma user_version = {number}; commit;")


if __name__ == "__main__":
    migrate()
