"""The packages that `bench audit --peers` measures: of known versions, and never a part of the console."""

from __future__ import annotations

from opspilot.bench.audit_peers import _installing, wanted
from opspilot.bootstrap.datadir import PROJECT

MEASURED = ("django-auditlog", "django-pghistory", "django-simple-history")


def test_each_peer_has_the_version_that_the_figures_are_of() -> None:
    pinned = {line.partition("==")[0] for line in wanted() if "==" in line}
    assert pinned >= set(MEASURED)


def test_no_peer_is_installed_with_the_console() -> None:
    lock = (PROJECT / "requirements.lock").read_text(encoding="utf-8")
    assert not [name for name in MEASURED if f"{name}==" in lock]


def test_they_bring_no_other_django_along() -> None:
    line = _installing(PROJECT / "peers")
    assert "--no-deps" in line
    assert not [word for word in line if word.lower().startswith(("django==", "django>"))]
