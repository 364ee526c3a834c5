from __future__ import annotations

from django.urls import path

from approvals.views import acts, inbox, proposal

app_name = "approvals"
urlpatterns = [
    path("", inbox.inbox, name="inbox"),
    path("novas/", inbox.news, name="news"),
    path("<uuid:ref>/", proposal.detail, name="detail"),
    path("<uuid:ref>/aprovar/", acts.approve, name="approve"),
    path("<uuid:ref>/recusar/", acts.refuse, name="refuse"),
    path("<uuid:ref>/devolver/", acts.ask_for_changes, name="ask_for_changes"),
    path("<uuid:ref>/retirar/", acts.withdraw, name="withdraw"),
    path("<uuid:ref>/comentar/", acts.comment, name="comment"),
    path("<uuid:ref>/cancelar/", acts.cancel, name="cancel"),
    path("<uuid:ref>/retomar/", acts.resume, name="resume"),
]
