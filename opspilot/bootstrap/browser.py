"""A Chromium for the browser tests: one that is there, else the system's package, else Playwright's."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

from opspilot.bootstrap.surroundings import clean
from opspilot.bootstrap.terminal import say
from opspilot.bootstrap.tools import find_tool, interpreter

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
ASK_PLAYWRIGHT = (
    "from playwright.sync_api import sync_playwright\n"
    "with sync_playwright() as p: print(p.chromium.executable_path)"
)


def find_browser() -> str:
    """Its path; installs one if need be; empty when none can be had."""
    return _present() or _from_the_system() or _from_playwright()


def _present() -> str:
    named = os.environ.get("OPSPILOT_BROWSER", "")
    if named and os.access(named, os.X_OK):
        return named
    return next((found for name in NAMES if (found := find_tool(name))), "")


def _from_the_system() -> str:
    apt = find_tool("apt-get")
    if not apt or os.geteuid() != 0:
        return ""
    say("  installing the system's Chromium for the browser tests")
    environ = clean(os.environ) | {"DEBIAN_FRONTEND": "noninteractive"}
    for line in (["update"], ["install", "-y", "--no-install-recommends", "chromium"]):
        if _quiet([apt, *line], environ).returncode != 0:
            return ""
    return _present()


def _from_playwright() -> str:
    say("  fetching Playwright's Chromium for the browser tests")
    environ = clean(os.environ)
    if _quiet([interpreter(), "-m", "playwright", "install", "chromium"], environ).returncode != 0:
        return ""
    found = _quiet([interpreter(), "-c", ASK_PLAYWRIGHT], environ).stdout.strip()
    return found if found and Path(found).exists() else ""


def _quiet(command: list[str], environ: dict[str, str]) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        command, env=environ, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False
    )
