"""The store: one database, one writer, and the key that keeps sealed things sealed."""

from judge.store import forum_tables, tables
from judge.store.append_only import AppendOnlyError
from judge.store.database import Store, is_set_up, seal, unseal, wake
from judge.store.errors import KeyFileError, StoreError
from judge.store.resealing import count_older, reseal
from judge.store.vault import Vault, add_key

__all__ = [
    "AppendOnlyError",
    "KeyFileError",
    "Store",
    "StoreError",
    "Vault",
    "add_key",
    "count_older",
    "forum_tables",
    "is_set_up",
    "reseal",
    "seal",
    "tables",
    "unseal",
    "wake",
]
