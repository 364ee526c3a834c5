"""`/acessos/`: who can decide what, now and at a moment of the past, and the quarterly attestation."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.http import urlencode
from django.utils.timezone import localtime
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET

from approvals.deciders import access, access_changes, access_reviews, delegating, eligibility
from approvals.deciders.access import Picture
from approvals.inbox import wording
from approvals.models import AccessReview, AgenteAprovacao, Delegation
from opspilot.acessos import owners, page, roles
from opspilot.acessos.forms import AttestForm, MomentForm, RevokeForm
from opspilot.errors import NotFoundError
from opspilot.presentation.forms import checked
from opspilot.presentation.shapes import Fact
from opspilot.tenancy import clock, kept
from opspilot.tenancy import selectors as people
from opspilot.tenancy.http import TenantRequest, acts_by_post, keeps_typed, requires
from opspilot.tenancy.principal import Principal, Role
from opspilot.tenancy.reauthentication import ensure_recent
from opspilot.tenancy.roles import ACCESS_READERS, ACCESS_REVIEWERS

SHOWN = 50  # proposals without an approver


@dataclass(frozen=True, slots=True)
class Asked:
    """The moment the address names; `at` None = now."""

    form: MomentForm
    at: dt.datetime | None

    @property
    def query(self) -> str:
        if self.at is None:
            return ""
        return "?" + urlencode({"em": f"{localtime(self.at):%Y-%m-%dT%H:%M}"})


@require_GET
@requires(*ACCESS_READERS)
def index(request: TenantRequest) -> HttpResponse:
    wanted, since = asked(request), people.remembered_since()
    context: dict[str, Any] = {"form": wanted.form, "at": wanted.at, "since": since}
    if wanted.at is not None and (since is None or wanted.at < since):
        return render(request, "acessos/index.html", context | {"forgotten": True})
    picture = picture_at(wanted.at)
    context |= _list(picture) | {"export_query": wanted.query}
    if wanted.at is None:
        context |= _now(request, picture)
    return render(request, "acessos/index.html", context)


@acts_by_post
@requires(*ACCESS_REVIEWERS)
@keeps_typed("observacao", page="../")
def attest(request: TenantRequest) -> HttpResponse:
    ensure_recent(request)
    data = checked(AttestForm(request.POST))
    row = access_reviews.attest(
        reviewer=request.principal,
        owners=owners.registered(),
        seen_sha256=data["sha256"],
        remark=data["observacao"],
    )
    messages.success(request, _("Lista atestada. A revisão guarda exatamente o que você viu."))
    return redirect("acessos:review", row.ref)


@require_GET
@requires(*ACCESS_READERS)
def review(request: TenantRequest, ref: UUID) -> HttpResponse:
    found = access_reviews.review(ref=ref)
    now = picture_at(None)
    context = {
        "review": found,
        "period": page.period_words(found.period),
        "people": page.people(found.content),
        "rules": page.rules(found.content),
        "policy": found.content["politica"],
        "changes": access_changes.changes(found.content, now.content),
        "facts": _review_facts(found),
    }
    return render(request, "acessos/review.html", context)


@acts_by_post
@requires(Role.ADMIN)
def revoke(request: TenantRequest) -> HttpResponse:
    end_delegation(request)
    return redirect("acessos:index")


def end_delegation(request: TenantRequest) -> None:
    """What both pages that list delegations do; the service asks whether this person may."""
    ref = checked(RevokeForm(request.POST))["delegacao"]
    row = Delegation.objects.filter(ref=ref).first()
    if row is None:
        raise NotFoundError
    delegating.revoke(row=row, by=request.principal)
    messages.success(request, _("Delegação revogada. O que já foi decidido por ela continua."))


def asked(request: TenantRequest) -> Asked:
    form = MomentForm(request.GET)
    at = form.cleaned_data["em"] if form.is_valid() else None
    if at is not None and at > clock.now():
        form.add_error("em", _("Escolha um momento que já passou."))
        at = None
    return Asked(form, at)


def picture_at(at: dt.datetime | None) -> Picture:
    return access.now(owners=owners.registered()) if at is None else access.past(at=at)


def _list(picture: Picture) -> dict[str, Any]:
    content = picture.content
    return {
        "people": page.people(content),
        "rules": page.rules(content),
        "readable": picture.readable,
        "policy": picture.policy,
        "facts": _facts(picture, content),
    }


def _facts(picture: Picture, content: page.Content) -> list[Fact]:
    found, short = page.conflicts(content), sum(rule.short for rule in page.rules(content))
    return [
        Fact(_("Política"), _("versão %(n)s") % {"n": picture.policy} if picture.policy else "—"),
        Fact(_("Pessoas"), str(len(picture.people))),
        Fact(_("Decidem algo"), str(page.deciders(content))),
        Fact(_("Com conflito"), str(found), state="attention" if found else "done"),
        Fact(_("Regras sem gente bastante"), str(short), state="attention" if short else "done"),
    ]


def _now(request: TenantRequest, picture: Picture) -> dict[str, Any]:
    """What is there only for the list of now: whoever reads the past cannot act on it."""
    reviews = access_reviews.reviews()
    initial = {"sha256": picture.sha256} | kept.fields(request)
    return {
        "sha256": picture.sha256,
        "attest_form": AttestForm(initial=initial) if _reviews(request.principal) else None,
        "period": page.period_words(access_reviews.period_of(picture.at)),
        "due": access_reviews.is_due(reviews[0] if reviews else None),
        "reviews": [_review_line(row, picture) for row in reviews],
        "delegations": delegating.everybodys(),
        "revokes": request.principal.has(Role.ADMIN),
        "changes": request.principal.has(Role.ADMIN),
        "own": request.principal.subject,
        "roleless": roles.without_roles() if request.principal.has(Role.ADMIN) else [],
        "stuck": [_stuck_line(proposal) for proposal in _stuck()],
    }


def _reviews(principal: Principal) -> bool:
    return principal.has(*ACCESS_REVIEWERS)


def _review_line(row: AccessReview, picture: Picture) -> dict[str, Any]:
    changed = len(access_changes.changes(row.content, picture.content))
    return {"review": row, "period": page.period_words(row.period), "changed": changed}


def _stuck() -> list[AgenteAprovacao]:
    return list(
        AgenteAprovacao.objects.filter(pk__in=eligibility.stuck()[:SHOWN]).order_by("expira_em")
    )


def _stuck_line(proposal: AgenteAprovacao) -> dict[str, Any]:
    return {
        "url": reverse("approvals:detail", args=[proposal.ref]),
        "sentence": wording.sentence(proposal),
        "deadline": proposal.expira_em,
        "risk": proposal.risco,
    }


def _review_facts(found: AccessReview) -> list[Fact]:
    return [
        Fact(_("Trimestre"), page.period_words(found.period)),
        Fact(_("Atestada por"), found.reviewer_name, at=found.at),
        Fact(_("Pessoas"), str(len(found.content["pessoas"]))),
        Fact(_("Com conflito"), str(page.conflicts(found.content))),
    ]
