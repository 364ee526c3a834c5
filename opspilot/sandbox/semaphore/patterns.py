"""Names in an inventory, and what a pattern of Ansible's makes of them.

For the sandbox without an `ansible-playbook`; a test holds it to the real one.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from fnmatch import fnmatchcase

_RANGE = re.compile(r"\[(\d+):(\d+)\]")
_SECTION = re.compile(r"\[([^]:]+)(?::(vars|children))?\]")


@dataclass
class Inventory:
    """`facts` holds the words beside a host's name, which the player reads for its behaviour."""

    hosts: list[str] = field(default_factory=list)
    groups: dict[str, set[str]] = field(default_factory=dict)
    facts: dict[str, set[str]] = field(default_factory=dict)

    def add(self, host: str, group: str, words: list[str]) -> None:
        if host not in self.hosts:
            self.hosts.append(host)
        self.groups.setdefault(group, set()).add(host)
        self.facts.setdefault(host, set()).update(words)


def read_inventory(text: str) -> Inventory:
    """Of the ini shape only; groups of groups after the groups they name."""
    found, group, kind = Inventory(), "ungrouped", ""
    for raw in text.splitlines():
        line = raw.partition("#")[0].strip()
        section = _SECTION.fullmatch(line)
        if section:
            group, kind = section[1], section[2] or ""
        elif line and kind == "children":
            found.groups.setdefault(group, set()).update(found.groups.get(line, set()))
        elif line and not kind:
            name, *words = line.split()
            for host in _expanded(name):
                found.add(host, group, words)
    return found


def chosen(inventory: Inventory, limit: str | None) -> list[str]:
    """The hosts a `--limit` leaves, in the inventory's order. A blank one leaves them all."""
    parts = [part for part in re.split(r"[,:]", limit or "") if part.strip()]
    if not parts:
        return list(inventory.hosts)
    if any(part.startswith("@") for part in parts):
        return []  # a file on the server: the played sandbox reads none
    taken = _union(inventory, [part for part in parts if part[0] not in "!&"])
    if taken is None:
        taken = set(inventory.hosts)
    for part in parts:
        if part.startswith("!"):
            taken -= _matching(inventory, part[1:])
        elif part.startswith("&"):
            taken &= _matching(inventory, part[1:])
    return [host for host in inventory.hosts if host in taken]


def _union(inventory: Inventory, parts: list[str]) -> set[str] | None:
    if not parts:
        return None
    return set[str]().union(*(_matching(inventory, part) for part in parts))


def _matching(inventory: Inventory, pattern: str) -> set[str]:
    if pattern in {"all", "*"}:
        return set(inventory.hosts)
    if pattern.startswith("~"):
        return {host for host in inventory.hosts if re.match(pattern[1:], host)}
    found = {host for host in inventory.hosts if fnmatchcase(host, pattern)}
    for group, hosts in inventory.groups.items():
        if fnmatchcase(group, pattern):
            found |= hosts
    return found


def _expanded(name: str) -> Iterator[str]:
    found = _RANGE.search(name)
    if found is None:
        yield name
        return
    for number in range(int(found[1]), int(found[2]) + 1):
        yield name[: found.start()] + str(number) + name[found.end() :]
