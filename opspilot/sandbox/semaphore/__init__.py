"""A Semaphore that is not Semaphore: own process, store and log, the remote's traps kept.

Behind it a real `ansible-playbook` runs where there is one, on hosts that are only names.
"""

from __future__ import annotations
