"""Commands found in text: they run, and leave the text. This is the remote's sharpest trap."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from opspilot.sandbox.gitlab.markdown import paragraph_lines
from opspilot.sandbox.gitlab.model import Issue, Member, Settings
from opspilot.sandbox.gitlab.parameters import TITLE_LIMIT, day

_ALIASES = {
    "labels": "label",
    "remove_label": "unlabel",
    "reassign": "assign",
    "remove_due_date": "undue",
}
_SUBSTITUTIONS = {"shrug": "¯\\＿(ツ)＿/¯", "tableflip": "(╯°□°)╯︵ ┻━┻"}
# Recognised and cut from the text, without effect on anything the sandbox models.
_CUT_ONLY = frozenset(
    [
        "award",
        "blocks",
        "clear_weight",
        "clone",
        "copy_metadata",
        "create_merge_request",
        "done",
        "duplicate",
        "epic",
        "estimate",
        "health_status",
        "iteration",
        "link",
        "milestone",
        "move",
        "parent",
        "promote_to",
        "react",
        "relate",
        "remove_estimate",
        "remove_milestone",
        "remove_time_spent",
        "remove_zoom",
        "severity",
        "spend",
        "subscribe",
        "todo",
        "type",
        "unlink",
        "unsubscribe",
        "weight",
        "zoom",
    ]
)
_LINE = re.compile(r"/(\w+)(?: (.*))?\s*$")
_LABEL = re.compile(r'~"([^"]+)"|~([^\s,~]+)')
_USER = re.compile(r"@([A-Za-z0-9_][A-Za-z0-9_.-]*)")


@dataclass(frozen=True)
class Command:
    name: str
    argument: str

    def __str__(self) -> str:
        return f"/{self.name} {self.argument}".rstrip()


@dataclass(frozen=True)
class Extraction:
    """The text as it is stored, and what was cut out of it."""

    text: str
    commands: tuple[Command, ...]


@dataclass(frozen=True)
class Scene:
    """What a command may see and change."""

    issue: Issue
    members: list[Member]
    label_names: list[str]
    settings: Settings
    at: str


def extract(text: str) -> Extraction:
    lines = text.replace("\r", "").split("\n")
    candidates = paragraph_lines("\n".join(lines))
    kept: list[str] = []
    commands: list[Command] = []
    for number, line in enumerate(lines):
        command = _command(line) if number in candidates else None
        if command is None:
            kept.append(line)
        elif command.name in _SUBSTITUTIONS:
            kept.append(f"{command.argument} {_SUBSTITUTIONS[command.name]}".lstrip())
            commands.append(command)
        else:
            commands.append(command)
    return Extraction("\n".join(kept).rstrip(), tuple(commands))


def run(commands: tuple[Command, ...], scene: Scene) -> None:
    for command in commands:
        effect = _EFFECTS.get(command.name)
        if effect is not None:
            effect(scene, command.argument)


def close(scene: Scene, _argument: str = "") -> None:
    scene.issue.state, scene.issue.closed_at = "closed", scene.at


def reopen(scene: Scene, _argument: str = "") -> None:
    scene.issue.state, scene.issue.closed_at = "opened", None


def _command(line: str) -> Command | None:
    match = _LINE.match(line)
    if match is None:
        return None
    name = match.group(1).lower()
    name = _ALIASES.get(name, name)
    if name not in _EFFECTS and name not in _CUT_ONLY and name not in _SUBSTITUTIONS:
        return None
    return Command(name, (match.group(2) or "").strip())


def _label(scene: Scene, argument: str) -> None:
    if scene.settings.set_metadata:
        # Unlike the `labels` parameter, the command never creates a label.
        known = [name for name in _label_names(argument) if name in scene.label_names]
        scene.issue.labels = list(dict.fromkeys([*scene.issue.labels, *known]))


def _unlabel(scene: Scene, argument: str) -> None:
    if scene.settings.set_metadata:
        gone = _label_names(argument) or scene.issue.labels
        scene.issue.labels = [name for name in scene.issue.labels if name not in gone]


def _relabel(scene: Scene, argument: str) -> None:
    if scene.settings.set_metadata:
        scene.issue.labels = []
        _label(scene, argument)


def _assign(scene: Scene, argument: str) -> None:
    if not scene.settings.set_metadata:
        return
    names = _USER.findall(argument)
    found = [
        member.user.id
        for name in names
        for member in scene.members
        if member.user.username == name and member.user.state == "active"
    ]
    if "me" in argument.split():
        found.append(scene.issue.author_id)
    if found:
        scene.issue.assignee_ids = found[:1] if scene.settings.tier == "free" else found


def _unassign(scene: Scene, _argument: str) -> None:
    if scene.settings.set_metadata:
        scene.issue.assignee_ids = []


def _confidential(scene: Scene, _argument: str) -> None:
    if scene.settings.set_confidential:
        scene.issue.confidential = True


def _title(scene: Scene, argument: str) -> None:
    if argument:
        scene.issue.title = argument[:TITLE_LIMIT]


def _due(scene: Scene, argument: str) -> None:
    if scene.settings.set_metadata and day(argument):
        scene.issue.due_date = day(argument)


def _undue(scene: Scene, _argument: str) -> None:
    if scene.settings.set_metadata:
        scene.issue.due_date = None


def _lock(scene: Scene, _argument: str) -> None:
    if scene.settings.set_metadata:
        scene.issue.discussion_locked = True


def _unlock(scene: Scene, _argument: str) -> None:
    if scene.settings.set_metadata:
        scene.issue.discussion_locked = False


def _label_names(argument: str) -> list[str]:
    return [quoted or plain for quoted, plain in _LABEL.findall(argument)]


_EFFECTS: dict[str, Callable[[Scene, str], None]] = {
    "close": close,
    "reopen": reopen,
    "open": reopen,
    "label": _label,
    "unlabel": _unlabel,
    "relabel": _relabel,
    "assign": _assign,
    "unassign": _unassign,
    "confidential": _confidential,
    "title": _title,
    "due": _due,
    "undue": _undue,
    "lock": _lock,
    "unlock": _unlock,
}
# Every name that is a command here, aliases left out.
NAMES = frozenset(_EFFECTS) | _CUT_ONLY | frozenset(_SUBSTITUTIONS)
