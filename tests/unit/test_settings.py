"""A setting that nothing reads is a promise nobody keeps; a name that is wrong stops the process."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from django.core.exceptions import ImproperlyConfigured

from opspilot.settings import env as reading
from opspilot.settings.env import ELSEWHERE, Environment, doubled, unknown

ROOT = Path(__file__).parents[2]
SOURCE = ("opspilot", "audit", "grounding", "approvals")
REQUIRED = {
    "SECRET_KEY": "made-up-for-the-deployment-check-0123456789-abcdefghijklmnop",
    "OPSPILOT_HMAC_KEY": "made-up-too",
    "DATABASE_URL": "postgresql://opspilot_app@127.0.0.1:1/opspilot",
    "ALLOWED_HOSTS": "console.example",
    "OPSPILOT_BASE_URL": "https://console.example",
}


def production(*arguments: str, **environ: str) -> subprocess.CompletedProcess[str]:
    """A process with production settings and nothing else than what is given."""
    base = {"PATH": os.environ["PATH"], "DJANGO_SETTINGS_MODULE": "opspilot.settings.production"}
    line = [sys.executable, *(arguments or ("-c", "import opspilot.settings.production"))]
    return subprocess.run(
        line, cwd=ROOT, env=base | environ, capture_output=True, text=True, timeout=60, check=False
    )


def test_each_setting_of_our_own_is_read_somewhere() -> None:
    base = (ROOT / "opspilot" / "settings" / "base.py").read_text()
    declared = set(re.findall(r"^(OPSPILOT_[A-Z_]+)", base, re.MULTILINE))
    code = "\n".join(p.read_text() for folder in SOURCE for p in (ROOT / folder).rglob("*.py"))
    assert declared
    assert declared - set(re.findall(r"settings\.(OPSPILOT_[A-Z_]+)", code)) == set()


def test_each_name_that_is_read_elsewhere_is_read_there() -> None:
    files = [path for path in (ROOT / "opspilot").rglob("*.py") if path.name != "env.py"]
    code = "\n".join(path.read_text() for path in files)
    assert {name for name in ELSEWHERE if f'"{name}"' not in code} == set()


def test_production_starts_with_the_required_names_alone() -> None:
    done = production(**REQUIRED)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("name", REQUIRED)
def test_production_without_a_required_name_stops_and_says_which(name: str) -> None:
    done = production(**{key: value for key, value in REQUIRED.items() if key != name})
    assert done.returncode != 0
    assert f'"{name}" not set' in done.stderr


@pytest.mark.parametrize("name", REQUIRED)
def test_an_empty_value_is_no_value(name: str) -> None:
    done = production(**REQUIRED | {name: ""})
    assert done.returncode != 0
    assert f"{name} is empty" in done.stderr


def test_production_refuses_a_name_of_ours_that_nothing_reads() -> None:
    done = production(**REQUIRED, OPSPILOT_GITLAB_TOKN="x")
    assert done.returncode != 0
    assert "nothing reads OPSPILOT_GITLAB_TOKN" in done.stderr


def test_production_refuses_to_be_told_where_to_die() -> None:
    done = production(**REQUIRED, OPSPILOT_KILL_POINT="answer_read")
    assert done.returncode != 0
    assert "OPSPILOT_KILL_POINT" in done.stderr


def test_production_refuses_a_value_and_a_file_of_one_name() -> None:
    done = production(**REQUIRED, SECRET_KEY_FILE=__file__)
    assert done.returncode != 0
    assert "SECRET_KEY and SECRET_KEY_FILE are both set" in done.stderr


def test_no_value_is_printed_when_a_name_is_refused() -> None:
    done = production(**REQUIRED | {"OPSPILOT_GITLAB_TOKN": "do-not-print-me"})
    assert "do-not-print-me" not in done.stdout + done.stderr


def test_the_deployment_check_has_no_warning() -> None:
    line = ("-m", "django", "check", "--deploy", "--fail-level", "WARNING")
    done = production(*line, **REQUIRED)
    assert done.returncode == 0, done.stderr
    assert "no issues" in done.stdout


@pytest.mark.parametrize("module", ["local", "production", "test"])
def test_each_settings_module_ends_with_the_refusal(module: str) -> None:
    text = (ROOT / "opspilot" / "settings" / f"{module}.py").read_text()
    assert text.rstrip().endswith("\nrefuse_wrong_names()")


def test_a_name_may_be_given_by_its_file() -> None:
    assert unknown({"OPSPILOT_HMAC_KEY_FILE": "/x"}, {"OPSPILOT_HMAC_KEY"}) == []


def test_names_without_our_prefix_are_not_ours_to_judge() -> None:
    assert unknown({"HOME": "/x", "LC_ALL": "C"}, set()) == []


def test_an_empty_value_beside_a_file_is_not_a_second_value() -> None:
    assert doubled({"SECRET_KEY": "", "SECRET_KEY_FILE": "/x"}, {"SECRET_KEY"}) == []


def test_the_line_break_at_the_end_of_a_file_is_not_part_of_the_value(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "token").write_text("abc\n")
    monkeypatch.setenv("GIVEN_BY_FILE_FILE", str(tmp_path / "token"))
    assert reading.env.str("GIVEN_BY_FILE") == "abc"


def test_a_list_of_nothing_but_commas_is_empty(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOSTS_FOR_A_TEST", " , ")
    with pytest.raises(ImproperlyConfigured, match="HOSTS_FOR_A_TEST"):
        Environment().required_list("HOSTS_FOR_A_TEST")


def test_parts_of_a_list_lose_the_space_around_them(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOSTS_FOR_A_TEST", "a.example, b.example")
    assert Environment().required_list("HOSTS_FOR_A_TEST") == ["a.example", "b.example"]
