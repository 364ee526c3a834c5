"""The play without Ansible: the same hosts, the same recap, the same exit codes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path

from opspilot.sandbox.semaphore.orders import Order
from opspilot.sandbox.semaphore.patterns import Inventory, chosen, read_inventory

Line = Callable[[str], None]

# The variables that each playbook asserts. A playbook that is not here targets no host of ours.
NEEDED = {
    "acao-em-servico.yml": ("server_name", "server_action"),
    "implantar-servico.yml": ("deploy_service",),
    "coletar-diagnostico.yml": (),
    "por-em-manutencao.yml": (),
    "tirar-da-manutencao.yml": (),
}
OTHER_GROUP = "outro-grupo.yml"
_NO_HOSTS = (
    "ERROR! Specified inventory, host pattern and/or --limit leaves us with no hosts to target."
)


def run(order: Order, witness: Path, line: Line) -> int:
    inventory = read_inventory(order.inventory if order.inventory_type == "static" else "")
    hosts = chosen(inventory, order.last_limit)
    if not hosts:
        line(_NO_HOSTS)
        return 1
    if order.playbook == OTHER_GROUP:
        line("skipping: no hosts matched")
        line(_header("PLAY RECAP"))
        return 0
    if order.playbook not in NEEDED:
        line(f"ERROR! the playbook: {order.playbook} could not be found")
        return 1
    return _play(order, inventory, hosts, witness, line)


def _play(order: Order, inventory: Inventory, hosts: list[str], witness: Path, line: Line) -> int:
    line(_header(f"PLAY [{order.playbook}]"))
    results = {host: _result(order, inventory.facts[host]) for host in hosts}
    for host, result in results.items():
        if result["changed"]:
            address = str(order.extra.get("ansible_host", host))
            (witness / host).write_text(address, encoding="utf-8")
        line(f"{_word(result)}: [{host}]")
    line(_header("PLAY RECAP"))
    for text in _rows(results):
        line(text)
    return _exit_code(list(results.values()))


def _result(order: Order, facts: set[str]) -> Counter[str]:
    if not all(order.extra.get(name) for name in NEEDED[order.playbook]):
        return Counter(failed=1)
    if "ansible_connection=ssh" in facts:
        return Counter(ok=1, unreachable=1)
    if "simula_falha=true" in facts:
        return Counter(ok=1 if order.check else 2, changed=0 if order.check else 1, failed=1)
    return Counter(ok=2, skipped=1) if order.check else Counter(ok=3, changed=1)


def _exit_code(results: list[Counter[str]]) -> int:
    """As Ansible's: unreachable is said before failed."""
    if any(result["unreachable"] for result in results):
        return 4
    return 2 if any(result["failed"] for result in results) else 0


def _word(result: Counter[str]) -> str:
    for word in ("unreachable", "failed", "changed"):
        if result[word]:
            return word
    return "ok"


def _rows(results: dict[str, Counter[str]]) -> Iterator[str]:
    for host, result in results.items():
        names = ("ok", "changed", "unreachable", "failed", "skipped", "rescued", "ignored")
        counts = " ".join(f"{name}={result[name]:<4}" for name in names)
        yield f"{host:<26} : {counts}"


def _header(text: str) -> str:
    return f"{text} ".ljust(80, "*")
