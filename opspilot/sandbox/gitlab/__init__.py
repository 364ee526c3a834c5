"""A GitLab that is not GitLab: its own process, store and log, with the remote's traps kept."""

from __future__ import annotations
