"""Where the person is logged in, and ending it there."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from allauth.usersessions.internal.flows.sessions import end_other_sessions, end_sessions
from allauth.usersessions.models import UserSession
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _

from opspilot.accounts import agents
from opspilot.presentation.addresses import whole_number
from opspilot.presentation.forms import StrictForm, checked
from opspilot.tenancy.http import acts_by_post
from opspilot.tenancy.models import User
from opspilot.tenancy.reauthentication import ensure_recent


@dataclass(frozen=True, slots=True)
class Line:
    pk: int
    agent: str
    address: str
    since: datetime
    seen: datetime
    current: bool


class EndForm(StrictForm):
    """`sessao` is read by hand: a foreign or unknown one is a 404, not a field's error."""

    def unknown_fields(self) -> list[str]:
        return [name for name in super().unknown_fields() if name != "sessao"]


@login_required
def sessions(request: HttpRequest) -> HttpResponse:
    assert isinstance(request.user, User)
    found = UserSession.objects.purge_and_list(request.user)
    lines = sorted((_line(session) for session in found), key=_order, reverse=True)
    context = {"lines": lines, "others": sum(not line.current for line in lines)}
    return render(request, "usersessions/usersession_list.html", context)


@acts_by_post
@login_required
def end(request: HttpRequest) -> HttpResponse:
    ensure_recent(request)
    checked(EndForm(request.POST))
    mine = UserSession.objects.filter(user_id=request.user.pk)
    chosen = mine.filter(pk=whole_number(request.POST.get("sessao"), most=10**14) or 0).first()
    if chosen is None:
        raise Http404
    end_sessions(request, [chosen])
    messages.success(request, _("Sessão encerrada."))
    return redirect("usersessions_list")


@acts_by_post
@login_required
def end_others(request: HttpRequest) -> HttpResponse:
    ensure_recent(request)
    checked(StrictForm(request.POST))
    end_other_sessions(request, request.user)
    messages.success(request, _("As outras sessões foram encerradas."))
    return redirect("usersessions_list")


def _line(session: UserSession) -> Line:
    return Line(
        pk=session.pk,
        agent=agents.described(session.user_agent),
        address=str(session.ip),
        since=session.created_at,
        seen=session.last_seen_at,
        current=session.is_current(),
    )


def _order(line: Line) -> tuple[bool, datetime]:
    return (line.current, line.seen)
