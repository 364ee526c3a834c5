"""The environment each process of an instance is given, and no more than it needs."""

from __future__ import annotations

import os
import secrets
from collections.abc import Iterable, Mapping
from pathlib import Path

from opspilot.bootstrap.datadir import DataDir, has_secrets, secret
from opspilot.bootstrap.errors import BootstrapError
from opspilot.bootstrap.network import HOST
from opspilot.bootstrap.postgres import Server, dsn
from opspilot.bootstrap.seal_key import seal_key_file
from opspilot.bootstrap.tools import interpreter, search_path

DATABASE_NAMES = {
    "app": "DATABASE_URL",
    "reader": "DATABASE_URL_READER",
    "maintenance": "DATABASE_URL_MAINTENANCE",
    "owner": "DATABASE_URL_OWNER",
    "backup": "DATABASE_URL_BACKUP",
    "admin": "DATABASE_URL_ADMIN",
}
# What would make libpq, the web server or the interpreter do something else than they are told.
FOREIGN = ("GRANIAN_", "PYTHONHOME", "PYTHONPATH", "PYTHONSTARTUP")
LIBPQ = ("PG",)
# Of an instance's own settings, what a new one takes from the caller.
KEPT = ("OPSPILOT_VENV", "OPSPILOT_BROWSER")
LOCAL_SETTINGS = "opspilot.settings.local"


def given(environ: Mapping[str, str], name: str) -> str | None:
    """The variable, or the content of the file that NAME_FILE names, as the settings read it."""
    if environ.get(name):
        return environ[name]
    path = environ.get(f"{name}_FILE")
    if not path:
        return None
    try:
        return Path(path).read_text(encoding="utf-8").strip() or None
    except OSError as error:
        raise BootstrapError(
            f"{name}_FILE names a file that cannot be read ({error.strerror})."
        ) from error


def clean(environ: Mapping[str, str], *, own_server: bool = True) -> dict[str, str]:
    """The caller's environment with no database and nothing foreign; PATH is never empty.

    Another's server may need libpq's own variables (its certificates), ours is led astray by them.
    """
    foreign = (*FOREIGN, *LIBPQ) if own_server else FOREIGN
    found = {name: value for name, value in environ.items() if not name.startswith(foreign)}
    folder = str(Path(interpreter()).parent)
    found["PATH"] = os.pathsep.join([folder, search_path(environ)])
    found["PYTHONUNBUFFERED"] = "1"
    return without(found, DATABASE_NAMES.values())


def stranger(environ: Mapping[str, str]) -> dict[str, str]:
    """For an instance of its own: none of the settings of the instance that starts it."""
    own = ("SECRET_KEY", "DJANGO_SETTINGS_MODULE", "EMAIL_URL", "DEFAULT_FROM_EMAIL")
    ours = [name for name in environ if name.startswith("OPSPILOT_") and name not in KEPT]
    return without(clean(environ), [*own, *ours])


def without(environ: Mapping[str, str], names: Iterable[str]) -> dict[str, str]:
    dropped = {form for name in names for form in (name, f"{name}_FILE")}
    return {name: value for name, value in environ.items() if name not in dropped}


def embedded_urls(server: Server) -> dict[str, str]:
    return {role: dsn(server, role) for role in ("app", "reader", "maintenance", "owner")}


def external_urls(environ: Mapping[str, str]) -> dict[str, str] | None:
    """None without DATABASE_URL. With it the others must be there too, each a role of its own."""
    if given(environ, "DATABASE_URL") is None:
        return None
    roles = ("app", "reader", "maintenance", "owner")
    urls = {role: given(environ, DATABASE_NAMES[role]) for role in roles}
    missing = [DATABASE_NAMES[role] for role, url in urls.items() if not url]
    if missing:
        raise BootstrapError(
            f"DATABASE_URL is set, so OpsPilot uses that server; {' and '.join(missing)} must be set too"
            " (the roles are made by docs/deploy/roles.sql)."
        )
    return {role: url for role, url in urls.items() if url}


def with_urls(environ: Mapping[str, str], urls: Mapping[str, str], *roles: str) -> dict[str, str]:
    found = without(environ, DATABASE_NAMES.values())
    return found | {DATABASE_NAMES[role]: urls[role] for role in roles}


def settings_for(
    data: DataDir,
    environ: Mapping[str, str],
    *,
    port: int,
    sandbox_port: int,
    semaphore_port: int,
    own_server: bool = True,
) -> dict[str, str]:
    """All but the database. The two keys are kept from the caller's environment where it has them."""
    found = clean(environ, own_server=own_server)
    _default(found, "DJANGO_SETTINGS_MODULE", LOCAL_SETTINGS)
    _default(found, "EMAIL_URL", mail_folder(data).as_uri())
    _default(found, "OPSPILOT_EXPORT_DIR", str(data.root / "exports"))
    _default(found, "OPSPILOT_ARCHIVE_DIR", str(data.root / "archive"))
    for name, key in (("SECRET_KEY", "secret_key"), ("OPSPILOT_HMAC_KEY", "hmac_key")):
        _default(found, name, secret(data, key))
    if not found.get("OPSPILOT_SEAL_KEY"):
        _default(found, "OPSPILOT_SEAL_KEY_FILE", str(seal_key_file(data)))
    ours = {
        "OPSPILOT_DATA_DIR": str(data.root),
        "OPSPILOT_BASE_URL": f"http://{HOST}:{port}",
        "OPSPILOT_GITLAB_URL": f"http://{HOST}:{sandbox_port}",
        "OPSPILOT_GITLAB_TOKEN": secret(data, "sandbox_token"),
        "OPSPILOT_SEMAPHORE_URL": f"http://{HOST}:{semaphore_port}",
        "OPSPILOT_SEMAPHORE_TOKEN": secret(data, "semaphore_token"),
        "OPSPILOT_EGRESS_PRIVATE": HOST,
    }
    return without(found, ours) | ours


def mail_folder(data: DataDir) -> Path:
    """Where letters are written as files while no mail server is named."""
    return data.root / "mail"


def placeholders(data: DataDir, environ: Mapping[str, str]) -> dict[str, str]:
    """Enough for commands that load the settings and use no database; writes nothing."""
    found = dict(environ)
    _default(found, "DJANGO_SETTINGS_MODULE", LOCAL_SETTINGS)
    kept = has_secrets(data)
    for name, key in (("SECRET_KEY", "secret_key"), ("OPSPILOT_HMAC_KEY", "hmac_key")):
        _default(found, name, secret(data, key) if kept else secrets.token_urlsafe(32))
    _default(found, "DATABASE_URL", f"postgresql://opspilot_app@{HOST}:1/opspilot")
    _default(found, "OPSPILOT_BASE_URL", f"http://{HOST}:8000")
    return found


def _default(environ: dict[str, str], name: str, value: str) -> None:
    if not environ.get(name) and not environ.get(f"{name}_FILE"):
        environ[name] = value
