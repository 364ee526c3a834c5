"""How the person wants the console: preferences, language, shortcuts, and which company."""

from __future__ import annotations

import dataclasses

from django.conf import settings
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.middleware.csrf import rotate_token
from django.shortcuts import redirect, render
from django.utils import translation
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_http_methods

from opspilot.errors import NotFoundError
from opspilot.preferences.forms import (
    LanguageForm,
    PreferencesForm,
    ShortcutsForm,
    TenantForm,
    chosen,
)
from opspilot.presentation.forms import checked, keeping_what_was_typed
from opspilot.tenancy import selectors, services
from opspilot.tenancy.http import TenantRequest, acts_by_post, requires
from opspilot.tenancy.middleware import SESSION_KEY
from opspilot.tenancy.models import User
from opspilot.tenancy.preferences import Preferences


@require_http_methods(["GET", "POST"])
@requires()
def index(request: TenantRequest) -> HttpResponse:
    person = _person(request)
    if request.method == "GET":
        form = PreferencesForm.showing(person.preferences)
        return render(request, "preferences/index.html", {"form": form})
    form = PreferencesForm(request.POST)
    with keeping_what_was_typed("preferences/index.html", lambda: {"form": form}):
        wanted = chosen(checked(form))
    services.save_preferences(user=person, preferences=wanted)
    with translation.override(wanted.language or translation.get_language()):
        messages.success(request, _("Preferências gravadas. Elas valem em qualquer aparelho."))
    return _speaking(redirect("preferences:index"), wanted.language)


@acts_by_post
def language(request: HttpRequest) -> HttpResponse:
    """The PT and EN buttons: the person's preference, or only this browser's before a login."""
    data = checked(LanguageForm(request.POST))
    if isinstance(request.user, User):
        _change(request.user, language=data["language"])
    local = url_has_allowed_host_and_scheme(data["next"], allowed_hosts=None)
    return _speaking(redirect(data["next"] if local else "/"), data["language"])


@require_GET
@requires()
def shortcuts(request: TenantRequest) -> HttpResponse:
    template = "preferences/shortcuts.html#keys" if request.htmx else "preferences/shortcuts.html"
    return render(request, template)


@acts_by_post
@requires()
def switch_shortcuts(request: TenantRequest) -> HttpResponse:
    wanted = checked(ShortcutsForm(request.POST))["atalhos"] == "ligados"
    _change(_person(request), shortcuts=wanted)
    said = _("Atalhos ligados.") if wanted else _("Atalhos desligados.")
    messages.success(request, said)
    return redirect("preferences:shortcuts")


@require_http_methods(["GET", "POST"])
@requires()
def tenant(request: TenantRequest) -> HttpResponse:
    """Which of the person's companies the console shows: the session's choice, and nothing else."""
    mine = selectors.tenants_of(request.principal.user_id)
    if request.method == "GET":
        return render(request, "preferences/tenant.html", {"tenants": selectors.named(mine)})
    wanted = checked(TenantForm(request.POST))["empresa"]
    if wanted not in mine:
        raise NotFoundError
    request.session[SESSION_KEY] = str(wanted)
    rotate_token(request)  # a page still open on the other company posts nothing into this one
    (there,) = selectors.named([wanted])
    messages.success(request, _("Agora você está em %(company)s.") % {"company": there.name})
    return redirect("/")


def _person(request: TenantRequest) -> User:
    """The row behind the principal: `requires` lets nobody else in."""
    if not isinstance(request.user, User):
        raise NotFoundError
    return request.user


def _change(user: User, **values: str | bool) -> None:
    wanted: Preferences = dataclasses.replace(user.preferences, **values)  # type: ignore[arg-type]
    services.save_preferences(user=user, preferences=wanted)


def _speaking(response: HttpResponse, code: str) -> HttpResponse:
    """The pages before the login follow the last choice made at this browser."""
    if code:
        response.set_cookie(
            settings.LANGUAGE_COOKIE_NAME,
            code,
            secure=settings.SESSION_COOKIE_SECURE,
            httponly=True,
            samesite="Lax",
        )
    else:
        response.delete_cookie(settings.LANGUAGE_COOKIE_NAME)
    return response
