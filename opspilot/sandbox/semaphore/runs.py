"""The queue and the running tasks. Both live in memory: a restart forgets them, as the remote's.

What was running then stays `running` for ever, and what waited is not picked up again.
"""

from __future__ import annotations

import os
import signal
import subprocess
import threading
from contextlib import suppress
from dataclasses import dataclass, field

from opspilot.sandbox.semaphore.model import ENDED, Task
from opspilot.sandbox.semaphore.orders import Order, order_of
from opspilot.sandbox.semaphore.output import Output
from opspilot.sandbox.semaphore.players import Players
from opspilot.sandbox.semaphore.plays import Play, arranged
from opspilot.sandbox.semaphore.store import Store

_PATIENCE = 5.0  # seconds for what was killed to end


@dataclass
class Held:
    """A task this process knows about: it can be stopped, not merely marked."""

    task: Task
    stop: threading.Event = field(default_factory=threading.Event)
    process: subprocess.Popen[str] | None = None
    forgotten: bool = False

    def started(self, process: subprocess.Popen[str]) -> None:
        self.process = process
        if self.stop.is_set():
            self.kill()

    def kill(self) -> None:
        self.stop.set()
        if self.process is not None and self.process.poll() is None:
            with suppress(ProcessLookupError):
                os.killpg(self.process.pid, signal.SIGKILL)


class Runs:
    def __init__(self, store: Store, players: Players) -> None:
        self.store, self.players, self.clock = store, players, store.clock
        self._change = threading.Condition()
        self._waiting: list[Held] = []
        self._running: dict[int, Held] = {}
        self._threads: set[threading.Thread] = set()
        threading.Thread(target=self._schedule, daemon=True).start()

    def add(self, task: Task) -> None:
        """One that is ordered to wait for ever is not taken into the queue at all."""
        if task.play != Play.STUCK_WAITING:
            with self._change:
                self._waiting.append(Held(task))
                self._change.notify_all()

    def stop(self, task: Task, *, force: bool) -> None:
        """A task that is not held here is only marked: it may have run, and may run on."""
        with self._change:
            held = self._running.get(task.id)
            self._waiting = [each for each in self._waiting if each.task.id != task.id]
        if held is None or force:
            self.store.change_task(task.id, status="stopped", end=self.store.clock.stamp())
        else:
            self.store.change_task(task.id, status="stopping")
        if held is not None:
            held.kill()
            self.clock.wake()

    def close(self) -> None:
        """Ends what runs. Nothing more is written: it is as if the process had been killed."""
        self.clock.stop()
        with self._change:
            self._waiting.clear()
            held = list(self._running.values())
            self._change.notify_all()
            threads = list(self._threads)
        for each in held:
            each.kill()
        for thread in threads:
            thread.join(_PATIENCE)

    def forget(self) -> None:
        """Before the store is emptied: what runs ends, and writes nothing more."""
        with self._change:
            self._waiting.clear()
            for held in self._running.values():
                held.forgotten = True
                held.kill()
            self.clock.wake()
            self._change.wait_for(lambda: not self._running, timeout=_PATIENCE)

    # The queue

    def _schedule(self) -> None:
        while not self.clock.stopped:
            with self._change:
                held = self._next()
                if held is None:
                    self._change.wait(0.5)
                    continue
                self._waiting.remove(held)
                self._running[held.task.id] = held
                thread = threading.Thread(target=self._run, args=(held,), daemon=True)
                self._threads.add(thread)
            thread.start()

    def _next(self) -> Held | None:
        """Tasks of one template run one after the other, unless it allows otherwise."""
        if len(self._running) >= self.store.settings().max_parallel_tasks:
            return None
        busy = {held.task.template_id for held in self._running.values()}
        return next((held for held in self._waiting if self._may_run(held, busy)), None)

    def _may_run(self, held: Held, busy: set[int]) -> bool:
        template = self.store.get("template", held.task.project_id, held.task.template_id) or {}
        return held.task.template_id not in busy or bool(template.get("allow_parallel_tasks"))

    def _run(self, held: Held) -> None:
        try:
            self.clock.wait(self.store.settings().start_delay, unless=held.stop.is_set)
            if not held.stop.is_set():
                self._perform(held)
            elif not self.clock.stopped and not held.forgotten:
                self._end(held, "stopped")
        finally:
            with self._change:
                self._running.pop(held.task.id, None)
                self._threads.discard(threading.current_thread())
                self._change.notify_all()

    def _perform(self, held: Held) -> None:
        task, store = held.task, self.store
        store.change_task(task.id, status="starting")
        template = store.get("template", task.project_id, task.template_id)
        if template is None:
            self._end(held, "error")
            return
        order = arranged(order_of(store, task, template), task.play)
        store.change_task(
            task.id,
            status="running",
            start=store.clock.stamp(),
            command=order.command("ansible-playbook", "inventory"),
        )
        if task.play == Play.STUCK_RUNNING:
            return
        self._play(held, order)

    def _play(self, held: Held, order: Order) -> None:
        output = Output(self.store, held.task, self.store.settings())
        if order.limit and not self.store.settings().modern:
            output.line(f"--limit={order.limit}")
        player = self.store.settings().player
        code = self.players.run(order, player, output.line, held.started)
        if self.clock.stopped or held.forgotten:
            return
        ended = "success" if code == 0 else "error"
        # The remote says that it ended first, and writes the rest of the output afterwards.
        self.store.change_task(held.task.id, status="stopped" if held.stop.is_set() else ended)
        if output.finish(unless=lambda: held.forgotten):
            self.store.change_task(held.task.id, end=self.store.clock.stamp())

    def _end(self, held: Held, status: str) -> None:
        self.store.change_task(held.task.id, status=status, end=self.store.clock.stamp())


def may_stop(task: Task) -> bool:
    return task.status not in ENDED
