"""The store: one database, one writer, and the key that keeps sealed things sealed."""

from judge.store.database import Store, is_set_up, seal, unseal, wake
from judge.store.errors import KeyFileError, StoreError
from judge.store.vault import Vault

__all__ = ["KeyFileError", "Store", "StoreError", "Vault", "is_set_up", "seal", "unseal", "wake"]
