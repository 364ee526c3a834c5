"""The part of the confirmation page that says when: what the policy says of it, and the choice."""

from __future__ import annotations

import datetime as dt
from typing import Any
from uuid import UUID

from django import forms
from django.http import HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from approvals import drafts
from approvals.drafts import Draft
from approvals.stops import notes, schedule
from opspilot.errors import InvalidInputError
from opspilot.harness import scheduling, selectors
from opspilot.presentation.forms import StrictForm, checked
from opspilot.tenancy import clock
from opspilot.tenancy.http import TenantRequest, acts_by_post, keeps_typed, requires
from opspilot.tenancy.roles import ASKERS

_FORMAT = "%Y-%m-%dT%H:%M"


class WhenForm(StrictForm):
    """A time of the company's clock, whatever the zone of the page: not before it."""

    quando = forms.CharField(
        label=gettext_lazy("Executar a partir de"),
        max_length=19,
        required=False,
        widget=forms.DateTimeInput(format=_FORMAT, attrs={"type": "datetime-local"}),
    )

    def __init__(self, *args: Any, zone: str = "", **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        words = _("Pelo relógio da empresa (%(zone)s). Vazio: assim que for aprovada.")
        self.fields["quando"].help_text = words % {"zone": zone}

    def clean_quando(self) -> dt.datetime | None:
        text = self.cleaned_data["quando"]
        try:
            wall = dt.datetime.fromisoformat(text) if text else None
        except ValueError as exc:
            raise forms.ValidationError(_("Escreva data e hora.")) from exc
        if wall is not None and wall.tzinfo is not None:
            raise forms.ValidationError(_("Escreva data e hora, sem fuso."))
        return wall


def context(draft: Draft, typed: dict[str, Any]) -> dict[str, Any]:
    """For the confirmation page: the form as it stands, and what would hold the effect back."""
    calendar, now = draft.policy.document.calendario, clock.now()
    zone, moment = schedule.zone_of(calendar), schedule.of(draft.action)
    shown = moment.astimezone(zone).strftime(_FORMAT) if moment else ""
    return {
        "when_form": WhenForm(initial={"quando": shown} | typed, zone=zone.key),
        "holds": notes.closure(
            calendar=calendar,
            kind=draft.action["kind"],
            risk=draft.outcome.risk,
            start=moment or now,
            until=drafts.latest_start(draft.policy, draft.action["kind"], now=now),
        ),
    }


@acts_by_post
@requires(*ASKERS)
@keeps_typed("quando", page="../confirmar/")
def choose(request: TenantRequest, ref: UUID) -> HttpResponse:
    """Before the confirmation, which shows the action anew with it."""
    found = selectors.own_run(principal=request.principal, ref=ref)
    confirm = reverse("rodadas:confirm", args=[ref])
    try:
        data = checked(WhenForm(request.POST))
        scheduling.choose(principal=request.principal, run=found, wall=data["quando"])
    except InvalidInputError as exc:
        exc.facts["back_url"] = confirm  # where the field is
        raise
    return redirect(confirm)
