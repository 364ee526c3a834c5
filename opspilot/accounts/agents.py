"""A browser's self-description, in words a person recognises. Pure."""

from __future__ import annotations

from django.utils.translation import gettext as _

# The first that matches: most browsers also claim to be the ones before them.
_BROWSERS = (
    ("Edg", "Edge"),
    ("OPR/", "Opera"),
    ("SamsungBrowser", "Samsung Internet"),
    ("Firefox/", "Firefox"),
    ("FxiOS", "Firefox"),
    ("CriOS", "Chrome"),
    ("Chrome/", "Chrome"),
    ("Safari/", "Safari"),
)
_SYSTEMS = (
    ("iPhone", "iPhone"),
    ("iPad", "iPad"),
    ("Android", "Android"),
    ("Windows", "Windows"),
    ("Mac OS X", "macOS"),
    ("CrOS", "ChromeOS"),
    ("Linux", "Linux"),
)


def described(user_agent: str) -> str:
    """ "Chrome em Windows"; what is not recognised is said to be unknown, never shown raw."""
    browser = _first(_BROWSERS, user_agent)
    system = _first(_SYSTEMS, user_agent)
    if browser and system:
        return _("%(browser)s em %(system)s") % {"browser": browser, "system": system}
    return browser or system or _("navegador não reconhecido")


def _first(table: tuple[tuple[str, str], ...], text: str) -> str:
    return next((name for mark, name in table if mark in text), "")
