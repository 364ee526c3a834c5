"""How the next task misbehaves, once it is stored."""

from __future__ import annotations

from dataclasses import replace
from enum import StrEnum

from opspilot.sandbox.semaphore.orders import Order
from opspilot.sandbox.semaphore.patterns import chosen, read_inventory
from opspilot.sandbox.semaphore.played import OTHER_GROUP


class Play(StrEnum):
    STUCK_WAITING = "stuck_waiting"  # never picked up
    STUCK_RUNNING = "stuck_running"  # running for ever, held by nobody
    TOUCHED_NOBODY = "touched_nobody"  # success, the play was for another group
    OUTSIDE_HOST = "outside_host"  # one host more than asked for
    LATE_OUTPUT = "late_output"  # the end of the output comes `seconds` after the status
    LOST_OUTPUT = "lost_output"  # the end of the output never comes
    MIXED_OUTPUT = "mixed_output"  # the last batch is out of order


def arranged(order: Order, play: str) -> Order:
    if play == Play.TOUCHED_NOBODY:
        return replace(order, playbook=OTHER_GROUP)
    if play == Play.OUTSIDE_HOST:
        return replace(order, limit=_wider(order))
    return order


def _wider(order: Order) -> str:
    inventory = read_inventory(order.inventory)
    taken = chosen(inventory, order.limit)
    outside = [host for host in inventory.hosts if host not in taken]
    return ",".join([*taken, *outside[:1]])
