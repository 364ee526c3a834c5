"""Which providers a request goes to first, and which requests no model reads: by rule.

A model is never asked how sure it is, and none chooses its own route. The table stands in
docs/how-to/answer-with-a-model.md.
"""

from __future__ import annotations

from collections.abc import Iterable

from audit.guard.folding import folded
from audit.guard.kinds import Kind
from audit.guard.looking import spans
from opspilot.connectors.ports import Completer
from opspilot.harness.planning.port import Route

SHORT = 200  # characters of a question that a small model can be expected to read well
# An e-mail is often a colleague's, and the very subject of a request.
LET_IN = frozenset({Kind.EMAIL})


def route(text: str, *, is_plain: bool = True) -> Route:
    """`is_plain`: the rules read it as a question to look up, not as a wish for a change."""
    if carries_what_no_model_reads(text):
        return "human"
    is_pasted = "\n" in text.strip()
    return "cheap" if is_plain and not is_pasted and len(text) <= SHORT else "standard"


def carries_what_no_model_reads(text: str) -> bool:
    """A secret, a document's or card's number, or a word of LGPD's sensitive categories."""
    return any(kind not in LET_IN for _start, _end, kind in spans(folded(text)))


def in_order(completers: Iterable[Completer], first: Route) -> tuple[Completer, ...]:
    """Those of the route as they are configured, then the others as they are configured."""
    return tuple(sorted(completers, key=lambda one: one.route != first))
