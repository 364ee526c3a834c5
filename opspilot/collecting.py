"""What the garbage collector of a web process walks through."""

from __future__ import annotations

import gc

from django.urls import get_resolver


def set_the_code_apart() -> None:
    """Load the pages' code, and leave out of every later collection what is there now.

    All of it lives as long as the process. Walked through in the middle of an answer, it cost a page
    of the trail a fifth of its time.
    """
    get_resolver().url_patterns  # noqa: B018 - reading it imports the views
    gc.collect()
    gc.freeze()
