"""A command that names its template and its target: read by rule, never by a model.

Reading is total: any input gives a command, nothing is dropped, guessed or mended, and what could
not be read is named in it. Whether it may run is the policy's to say.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import TypeVar

from approvals.tasks import hosts
from opspilot.presentation.normal_form import nfc

TASK_RUN = "tarefa.executada"
# What is kept of an input whatever else it holds; a template may ask for other variables.
FIELDS = ("template_id", "limit", "server_name", "server_action", "deploy_service")
MAX_FIELDS = 50
MAX_TEXT = 1_000
_MAX_ID = 2**31 - 1
T = TypeVar("T")
WHOLE = "comando"  # how an input that has no fields is named


@dataclass(frozen=True, slots=True)
class TaskCommand:
    """`template` (an alias) or `template_id`, the hosts as they were spelt, and the variables.

    "" and 0 = not said. `unreadable` names the fields that hold something that cannot be read.
    """

    template: str = ""
    template_id: int = 0
    hosts: tuple[str, ...] = ()
    variables: tuple[tuple[str, str], ...] = ()
    unreadable: tuple[str, ...] = ()

    @property
    def names_template(self) -> bool:
        return bool(self.template or self.template_id)

    @property
    def missing(self) -> tuple[str, ...]:
        """What has to be asked for: a half-explicit command is not completed by guessing."""
        said = {"template_id": self.names_template, "limit": bool(self.hosts)}
        return tuple(name for name, is_said in said.items() if not is_said)

    @property
    def is_explicit(self) -> bool:
        """Template and target are both named: no model has anything to interpret."""
        return not self.missing

    @property
    def fields(self) -> dict[str, object]:
        """What `read` makes this command of again; what could not be read is not among it."""
        named: dict[str, object] = {
            "template": self.template,
            "template_id": self.template_id,
            "limit": list(self.hosts),
        }
        return dict(self.variables) | {name: value for name, value in named.items() if value}

    def is_of(self, resolved: TaskCommand) -> bool:
        """Whether this asks for exactly what was resolved, by alias, by id or by both."""
        by_alias = self.template in {"", resolved.template}
        by_id = self.template_id in {0, resolved.template_id}
        asked = (self.hosts, self.variables, self.unreadable)
        same = asked == (resolved.hosts, resolved.variables, resolved.unreadable)
        return same and by_alias and by_id and self.names_template


class _UnreadableError(ValueError):
    pass


def read(raw: object) -> TaskCommand:
    """The command in `{template_id or template, limit, <variable>: <value>, …}`. Never raises.

    `limit` is one host, or a list of hosts, also with commas. Every other field is a variable.
    """
    if not isinstance(raw, Mapping) or len(raw) > MAX_FIELDS:
        return TaskCommand(unreadable=(WHOLE,))
    odd: set[str] = set()
    fields = dict(_fields(raw, odd))
    template = _or_note(_text, fields.pop("template", None), "template", odd)
    number = _or_note(_number, fields.pop("template_id", None), "template_id", odd)
    targets = _or_note(_hosts, fields.pop("limit", None), "limit", odd)
    values = {name: _or_note(_value, given, name, odd) for name, given in fields.items()}
    return TaskCommand(
        template=(template or "").lower(),
        template_id=number or 0,
        hosts=targets or (),
        variables=tuple(sorted((name, value) for name, value in values.items() if value)),
        unreadable=tuple(sorted(odd)),
    )


def _fields(raw: Mapping[object, object], odd: set[str]) -> Iterator[tuple[str, object]]:
    """Each field under its trimmed name; a name that comes twice is kept once, and noted."""
    seen: set[str] = set()
    for key, given in raw.items():
        name = _name(key)
        if name in seen or not isinstance(key, str):
            odd.add(name)
        else:
            seen.add(name)
            yield name, given


def _name(key: object) -> str:
    """A name that can be shown, whatever it was."""
    text = key if isinstance(key, str) else type(key).__name__
    return text.encode(errors="replace").decode().strip()[:120] or WHOLE


def _or_note(reader: Callable[[object], T], given: object, name: str, odd: set[str]) -> T | None:
    try:
        return reader(given)
    except _UnreadableError:
        odd.add(name)
        return None


def _plain(given: object) -> str:
    """Text as it was given; "" for nothing."""
    if given is None:
        return ""
    if not isinstance(given, str) or len(given) > MAX_TEXT:
        raise _UnreadableError
    try:
        given.encode()
    except UnicodeEncodeError as exc:  # half of a surrogate pair: JSON can carry one
        raise _UnreadableError from exc
    return given


def _text(given: object) -> str:
    return nfc(_plain(given)).strip()


def _value(given: object) -> str:
    """Text, or a whole number in digits."""
    if isinstance(given, int) and not isinstance(given, bool) and abs(given) < 10**18:
        return str(given)
    return _text(given)


def _number(given: object) -> int:
    """A positive id, as a number or in ASCII digits; 0 = not said."""
    text = _value(given)
    if not text:
        return 0
    if not (text.isascii() and text.isdecimal() and int(text) <= _MAX_ID):
        raise _UnreadableError
    return int(text)


def _hosts(given: object) -> tuple[str, ...]:
    """One host, or the list of them. A blank element of a list stays, and fails the grammar."""
    listed = given
    if isinstance(given, str) and "," in given:
        listed = _plain(given).split(",")
    if isinstance(listed, list | tuple):
        if len(listed) > MAX_FIELDS:
            raise _UnreadableError
        return tuple(sorted({_target(item) for item in listed}))
    target = _target(given)
    return (target,) if target else ()


def _target(given: object) -> str:
    """Not in NFC: it would turn a sign that looks like a letter into that letter."""
    return hosts.normalise(_plain(given))
