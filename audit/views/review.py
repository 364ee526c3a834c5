"""A hundred rows drawn by chance, and what a person finds in them that should not be there."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET

from audit import readings
from audit.review import presenters, sampling, terms
from audit.review.forms import DrawForm, MarksForm, TermEndForm
from audit.review.sampling import Drawn
from opspilot.presentation.forms import checked, keeping_what_was_typed
from opspilot.tenancy.http import TenantRequest, acts_by_post, requires
from opspilot.tenancy.roles import TRAIL_REVIEWERS

_START = "audit/reviews.html"
_REVIEW = "audit/review.html"


@require_GET
@requires(*TRAIL_REVIEWERS)
def reviews(request: TenantRequest) -> HttpResponse:
    return render(request, _START, _start(DrawForm()))


@acts_by_post
@requires(*TRAIL_REVIEWERS)
def draw(request: TenantRequest) -> HttpResponse:
    form = DrawForm(request.POST)
    with keeping_what_was_typed(_START, lambda: _start(form)):
        data = checked(form)
        review = sampling.draw(
            person=request.principal, first=data["de"], last=data["ate"], seed=data["semente"]
        )
    return redirect("audit:review", review.ref)


@require_GET
@requires(*TRAIL_REVIEWERS)
def review(request: TenantRequest, ref: UUID) -> HttpResponse:
    drawn = sampling.get(ref=ref)
    readings.record(request.principal, what=f"revisão {ref}")
    return render(request, _REVIEW, _sample(drawn))


@acts_by_post
@requires(*TRAIL_REVIEWERS)
def finish(request: TenantRequest, ref: UUID) -> HttpResponse:
    drawn = sampling.get(ref=ref)
    form = MarksForm(sampling.rows_of(drawn.review), request.POST)
    with keeping_what_was_typed(_REVIEW, lambda: _sample(sampling.get(ref=ref), request)):
        end = sampling.finish(person=request.principal, review=drawn.review, found=form.found())
    messages.success(request, _("Revisão concluída. Achados: %(n)s.") % {"n": end.findings})
    return redirect("audit:review", ref)


@acts_by_post
@requires(*TRAIL_REVIEWERS)
def end_term(request: TenantRequest) -> HttpResponse:
    terms.end(person=request.principal, ref=checked(TermEndForm(request.POST))["termo"])
    messages.success(request, _("Termo retirado: as próximas linhas não o mascaram mais."))
    return redirect("audit:reviews")


def _start(form: DrawForm) -> dict[str, Any]:
    masked = [
        (presenters.field_words(field), str(kind.label), total)
        for field, kind, total in sampling.masked_lately()
    ]
    return {
        "form": form,
        "reviews": sampling.recent(),
        "zone": timezone.get_default_timezone(),
        "terms": terms.in_force(),
        "masked": masked,
    }


def _sample(drawn: Drawn, request: TenantRequest | None = None) -> dict[str, Any]:
    rows = sampling.rows_of(drawn.review)
    form = None if drawn.end else MarksForm(rows, request.POST if request else None)
    lines = presenters.lines(rows, form, sampling.findings_of(drawn.review))
    return {
        "review": drawn.review,
        "span": presenters.span(drawn.review),
        "end": drawn.end,
        "lines": lines,
        "form": form,
        "gone": len(drawn.review.rows) - len(rows),
    }
