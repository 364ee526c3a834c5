"""What runs before Django: environment, embedded PostgreSQL, processes. Standard library only."""

from __future__ import annotations
