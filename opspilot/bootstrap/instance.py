"""One running OpsPilot: its database, its steps, its children. `up` supervises one; tests start theirs.

with instance(folder) as console:
    httpx.get(console.url + "/livez")
    os.kill(console.children["web"].pid, signal.SIGKILL)
    console.restart("web")
"""

from __future__ import annotations

import json
import os
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from opspilot.bootstrap import postgres
from opspilot.bootstrap.datadir import DataDir, create, remember, remembered, rotate_logs, secret
from opspilot.bootstrap.errors import BootstrapError, StopRequestedError
from opspilot.bootstrap.network import HOST, free_port
from opspilot.bootstrap.probe import http_status
from opspilot.bootstrap.processes import Child, failed, run_to_end
from opspilot.bootstrap.surroundings import (
    DATABASE_NAMES,
    embedded_urls,
    settings_for,
    stranger,
    with_urls,
    without,
)
from opspilot.bootstrap.tools import interpreter

READY_LIMIT = 60.0  # seconds for the web server or the sandbox to answer
STOP_ORDER = ("web", "mcp", "worker", "sandbox", "semaphore")
# The remote systems that are played: their names as children, their modules, their tokens.
SANDBOXES = {
    "sandbox": ("gitlab", "OPSPILOT_GITLAB_TOKEN"),
    "semaphore": ("semaphore", "OPSPILOT_SEMAPHORE_TOKEN"),
}


@dataclass(frozen=True)
class DemoUser:
    username: str
    role: str
    tenant: str


def _never() -> bool:
    return False


@dataclass
class Instance:
    data: DataDir
    port: int
    sandbox_port: int
    semaphore_port: int
    urls: Mapping[str, str] = field(repr=False)
    settings: Mapping[str, str] = field(repr=False)
    server: postgres.Server | None = None
    stopping: Callable[[], bool] = _never
    children: dict[str, Child] = field(default_factory=dict)
    users: list[DemoUser] = field(default_factory=list)

    @property
    def url(self) -> str:
        return f"http://{HOST}:{self.port}"

    @property
    def sandbox_url(self) -> str:
        return f"http://{HOST}:{self.sandbox_port}"

    @property
    def semaphore_url(self) -> str:
        return f"http://{HOST}:{self.semaphore_port}"

    @property
    def mcp_port(self) -> int:
        """Of the agents' second entrance; 0: nobody asked for it."""
        return int(self.settings.get("OPSPILOT_MCP_PORT") or 0)

    @property
    def mcp_url(self) -> str:
        return f"http://{HOST}:{self.mcp_port}"

    @property
    def demo_password(self) -> str:
        return secret(self.data, "demo_password")

    @property
    def env(self) -> dict[str, str]:
        """What a command of this instance needs: app, reader and maintenance, never the owner."""
        return self.env_for("app", "reader", "maintenance")

    def env_for(self, *roles: str) -> dict[str, str]:
        return with_urls(self.settings, self.urls, *roles)

    def command(
        self,
        *arguments: str,
        roles: tuple[str, ...] = ("app",),
        extra: Mapping[str, str] | None = None,
    ) -> str:
        """Runs one management command to its end; its output."""
        line = [interpreter(), "manage.py", *arguments]
        env = self.env_for(*roles) | dict(extra or {})
        return run_to_end(arguments[0], self.data, line, env, stopping=self.stopping)

    def migrate(self) -> None:
        """The only step that is given the owner's URL."""
        self.command("migrate", "--database", "owner", "--noinput", roles=("app", "owner"))

    def compile_translations(self) -> None:
        """A warm start spares the process where every compiled catalogue is younger than its source."""
        if not _is_compiled(Path(__file__).parents[1] / "locale"):
            self.command("compile_translations")

    def create_partitions(self) -> None:
        self.command("partitions", "create", roles=("app", "maintenance"))

    def seed(self) -> None:
        extra = {"OPSPILOT_DEMO_PASSWORD": self.demo_password}
        output = self.command("seed_demo", "--json", roles=("app", "reader"), extra=extra)
        self.users = _demo_users(output)

    def launch(self, name: str) -> Child:
        """Starts it with what holds now, after ending the one before; does not wait for it."""
        if name in self.children:
            self.children[name].stop()
        child = self.children[name] = self._child(name)
        child.start()
        return child

    def start_child(self, name: str) -> Child:
        """Returns once it is ready to be used."""
        child = self.launch(name)
        self.await_ready(name)
        return child

    def await_ready(self, name: str) -> None:
        ready = {
            "sandbox": lambda: self._sandbox_ready("sandbox"),
            "semaphore": lambda: self._sandbox_ready("semaphore"),
            "worker": self._worker_ready,
            "web": self._web_ready,
            "mcp": self._mcp_ready,
        }
        child, deadline = self.children[name], time.monotonic() + READY_LIMIT
        while not ready[name]():
            if self.stopping():
                raise StopRequestedError
            if child.ended():
                raise failed(child, f"The {name} ended while starting")
            if time.monotonic() > deadline:
                raise failed(child, f"The {name} was not ready within {READY_LIMIT:.0f} s")
            time.sleep(0.05)

    def restart(self, name: str) -> Child:
        """Ends it, however it is, brings it back and waits until it is ready."""
        return self.start_child(name)

    def stop_children(self) -> None:
        for name in STOP_ORDER:
            if name in self.children:
                self.children[name].stop()

    def _child(self, name: str) -> Child:
        python = interpreter()
        if name == "worker":
            env = self.env_for("app", "reader", "maintenance")
            return Child(name, self.data, [python, "manage.py", "worker"], env, grace=20.0)
        # These answer strangers, so they get no key that could seal a trail of another's making.
        stranger_env = without(self.env_for("app", "reader"), ["OPSPILOT_SEAL_KEY"])
        if name == "web":
            line = [python, *_granian(self.port)]
            return Child(name, self.data, line, stranger_env, port=self.port)
        if name == "mcp":
            line = [python, "manage.py", "mcp", "--port", str(self.mcp_port)]
            return Child(name, self.data, line, stranger_env, grace=40.0, port=self.mcp_port)
        return self._sandbox(name)

    def _sandbox(self, name: str) -> Child:
        module, token = SANDBOXES[name]
        port = self._sandbox_ports()[name]
        line = [interpreter(), "-m", f"opspilot.sandbox.{module}", "--port", str(port)]
        line += ["--data", str(self.data.root / f"sandbox-{module}")]
        return Child(name, self.data, line, self._sandbox_env(token), port=port, grace=5.0)

    def _sandbox_ports(self) -> dict[str, int]:
        return {"sandbox": self.sandbox_port, "semaphore": self.semaphore_port}

    def _sandbox_env(self, token: str) -> dict[str, str]:
        """It plays another system: it gets none of our keys, and not the other one's token."""
        tokens = [each for _, each in SANDBOXES.values()]
        ours = (
            *DATABASE_NAMES.values(),
            "SECRET_KEY",
            "OPSPILOT_HMAC_KEY",
            "OPSPILOT_SEAL_KEY",
            *tokens,
        )
        return without(self.settings, ours) | {"OPSPILOT_SANDBOX_TOKEN": self.settings[token]}

    def _sandbox_ready(self, name: str) -> bool:
        words = f"sandbox {SANDBOXES[name][0]} ready on {HOST}:{self._sandbox_ports()[name]}"
        return self.children[name].said(words)

    def _worker_ready(self) -> bool:
        """It has no door to knock at: it counts when it has outlived its imports."""
        child = self.children["worker"]
        return child.age() > 1.0 and not child.ended()

    def _web_ready(self) -> bool:
        return all(http_status(self.url + path) == 200 for path in ("/livez", "/readyz"))

    def _mcp_ready(self) -> bool:
        return http_status(f"{self.mcp_url}/livez") == 200


def prepare_instance(
    data: DataDir,
    *,
    port: int,
    urls: Mapping[str, str],
    environ: Mapping[str, str],
    server: postgres.Server | None = None,
    overrides: Mapping[str, str] | None = None,
) -> Instance:
    """Ports and keys chosen and remembered; nothing started yet."""
    gitlab, semaphore = _own_port(data, "sandbox_port"), _own_port(data, "semaphore_port")
    remember(data, "web_port", port)
    settings = settings_for(
        data,
        environ,
        port=port,
        sandbox_port=gitlab,
        semaphore_port=semaphore,
        own_server=server is not None,
    )
    given = settings | dict(overrides or {})
    return Instance(data, port, gitlab, semaphore, urls, given, server)


def _own_port(data: DataDir, name: str) -> int:
    port = free_port(remembered(data, name))
    remember(data, name, port)
    return port


@contextmanager
def instance(
    data_dir: Path, port: int = 0, demo: bool = True, environ: Mapping[str, str] | None = None
) -> Iterator[Instance]:
    """A whole instance with an embedded server of its own, stopped at the end; the folder is kept.

    `environ` is added to what the instance's processes are given, and wins. Nothing of the caller's
    own database, keys or settings reaches them.
    """
    data = DataDir(data_dir.resolve())
    create(data)
    rotate_logs(data)
    with postgres.in_use(data.root) as server:
        postgres.prepare(server)
        console = prepare_instance(
            data,
            port=port or free_port(),
            urls=embedded_urls(server),
            environ=stranger(os.environ),
            server=server,
            overrides=environ,
        )
        try:
            _start_all(console, demo=demo)
            yield console
        finally:
            console.stop_children()


def _start_all(console: Instance, *, demo: bool) -> None:
    console.migrate()
    console.compile_translations()
    console.create_partitions()
    if demo:
        console.seed()
    for name in (*SANDBOXES, "worker", "web"):
        console.start_child(name)


def _is_compiled(locale: Path) -> bool:
    sources = list(locale.glob("*/LC_MESSAGES/*.po"))
    return bool(sources) and all(_is_younger(one.with_suffix(".mo"), one) for one in sources)


def _is_younger(compiled: Path, source: Path) -> bool:
    return compiled.exists() and compiled.stat().st_mtime >= source.stat().st_mtime


def _granian(port: int) -> list[str]:
    line = ["-m", "granian", "--interface", "wsgi", "--host", HOST, "--port", str(port)]
    line += ["--workers", "1", "--blocking-threads", "8", "--workers-kill-timeout", "5", "--no-ws"]
    return [*line, "opspilot.wsgi:application"]


def _demo_users(output: str) -> list[DemoUser]:
    for line in reversed(output.splitlines()):
        if line.startswith("{"):
            found = json.loads(line).get("users", [])
            return [DemoUser(user["username"], user["role"], user["tenant"]) for user in found]
    raise BootstrapError("`seed_demo --json` did not end with its JSON object.")
