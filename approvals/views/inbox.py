"""The queue, with its tab and filters in the address."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any
from uuid import UUID

from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_GET

from approvals.deciders import delegation, eligibility
from approvals.deciders.delegation import Reach
from approvals.inbox import landing, listing, queue, queue_url, saved_views, selectors
from approvals.inbox.queue import Page
from approvals.inbox.queue_url import Queue
from approvals.models import SavedView
from approvals.views import decided
from opspilot.presentation.addresses import whole_number
from opspilot.tenancy import clock
from opspilot.tenancy.http import TenantRequest, requires
from opspilot.tenancy.roles import DECIDERS

_ANY = UUID(int=0)


@require_GET
@requires()
def inbox(request: TenantRequest) -> HttpResponse:
    views, reach = saved_views.with_reach(principal=request.principal)
    path = reverse("approvals:inbox")
    asked = queue_url.parse(request.GET)
    first = _first(views) or landing.of(request.principal, reach)
    if first is not None and not request.GET:
        return redirect(first.href(path))
    if first is not None:
        asked = asked.explicitly()
    number = whole_number(request.GET.get("pagina"), most=99_999) or 1
    after = _ref(request.GET.get("depois", ""))
    page = queue.page(
        principal=request.principal, queue=asked, number=number, after=after, reach=reach
    )
    overview = page.overview
    request.to_decide = overview.waiting  # type: ignore[attr-defined]  # the frame's number
    context = {
        **_filters(asked, page),
        "pages": listing.pages(asked, path, page),
        "tabs": listing.tabs(asked, path, overview.tabs),
        "tab": asked.tab,
        "total": overview.mark.size,
        "all_waiting": asked.tab == "para-mim",
        "lines": _lines(asked, page, _lenders(request, asked, page, reach)),
        "roles": ", ".join(str(role.label) for role in sorted(request.principal.roles)),
        "decides": request.principal.has(*DECIDERS),
        "now": overview.now,
        "news_url": asked.href(reverse("approvals:news"), visto=listing.mark_in_url(overview.mark)),
        "again_url": asked.href(path, **_where(page, after)),
        "decided": decided.strip(request),
        "views": listing.view_chips(asked, path, views),
        "save_url": asked.href(reverse("approvals:views")),
    }
    return render(request, "approvals/inbox.html", context)


@require_GET
@requires()
def news(request: TenantRequest) -> HttpResponse:
    """What came and what left since the list was shown; 204 when that was told already."""
    asked, since = queue_url.parse(request.GET), listing.parse_mark(request.GET.get("visto", ""))
    if since is None or not request.htmx:
        return redirect(asked.href(reverse("approvals:inbox")))
    found = queue.news(principal=request.principal, queue=asked, since=since)
    request.to_decide = 0  # type: ignore[attr-defined]  # no frame is drawn
    told = f"{found.came}-{found.left}"
    if told == request.GET.get("dito", "0-0"):
        return HttpResponse(status=204)
    visto = listing.mark_in_url(since)
    context = {
        "url": asked.href(reverse("approvals:news"), visto=visto, dito=told),
        "text": listing.news_words(found),
        "link_url": asked.href(reverse("approvals:inbox")),
        "now": clock.now(),
        "announce": True,
    }
    return render(request, "components/fresh.html", context)


def _first(views: Sequence[SavedView]) -> Queue | None:
    """What the bare address opens for somebody who chose a view of theirs."""
    found = (saved_views.queue_of(view).explicitly() for view in views if view.opens_first)
    return next(found, None)


def _lenders(request: TenantRequest, asked: Queue, page: Page, reach: Reach) -> Mapping[int, str]:
    """Only in what waits for this person are there votes to give in somebody's name."""
    rows = page.rows if asked.tab == queue_url.DEFAULT else []
    return delegation.lenders(principal=request.principal, reach=reach, rows=rows)


def _lines(asked: Queue, page: Page, lenders: Mapping[int, str]) -> list[listing.Line]:
    rows = selectors.as_lines(page.rows)
    lacking = eligibility.without_approver([row.proposal for row in rows])
    address = asked.href(reverse("approvals:detail", args=[_ANY]))  # looked up once for all rows
    return [
        listing.line(
            row,
            address.replace(str(_ANY), str(row.proposal.ref), 1),
            lacks=row.proposal.pk in lacking,
            lender=lenders.get(row.proposal.pk, ""),
        )
        for row in rows
    ]


def _filters(asked: Queue, page: Page) -> dict[str, Any]:
    """What the filters hide, and for an empty list which of them hides how many."""
    path, choices, overview = reverse("approvals:inbox"), page.choices, page.overview
    shown, whole = overview.mark.size, overview.whole
    return {
        "chips": listing.chips(asked, path, choices),
        "filter_form": listing.filter_form(asked, choices),
        "filter_words": listing.hides(shown, whole) if asked.chosen() else "",
        "whole": whole,
        "whole_words": listing.count_words(whole),
        "without_each": listing.without_each(asked, path, choices, page.hidden),
        "filter_hidden": [("fila", asked.tab)] if asked.tab != queue_url.DEFAULT else [],
        "plain_url": asked.unfiltered().href(path),
    }


def _where(page: Page, after: UUID | None) -> dict[str, str | int]:
    """The page of the list, as its address says it."""
    if after is not None:
        return {"depois": str(after)}
    return {"pagina": page.number} if page.number > 1 else {}


def _ref(text: str) -> UUID | None:
    try:
        return UUID(text)
    except ValueError:
        return None
