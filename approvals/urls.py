from __future__ import annotations

from django.urls import path

from approvals.views import acts, cancelling, health, inbox, proof, proposal, saved, unknown

app_name = "approvals"
urlpatterns = [
    path("", inbox.inbox, name="inbox"),
    path("novas/", inbox.news, name="news"),
    path("saude/", health.index, name="health"),
    path("cancelamento/", cancelling.choose, name="choose_many"),
    path("cancelamento/confirmar/", cancelling.cancel, name="cancel_many"),
    path("visoes/", saved.index, name="views"),
    path("visoes/guardar/", saved.save, name="save_view"),
    path("visoes/renomear/", saved.rename, name="rename_view"),
    path("visoes/apagar/", saved.delete, name="delete_view"),
    path("visoes/primeira/", saved.open_first, name="first_view"),
    path("<uuid:ref>/", proposal.detail, name="detail"),
    path("rodadas/<uuid:run_id>/prova/", proof.of_run, name="proof_of_run"),
    path("<uuid:ref>/prova/", proof.show, name="proof"),
    path("<uuid:ref>/prova.json", proof.download, name="proof_file"),
    path("<uuid:ref>/aprovar/", acts.approve, name="approve"),
    path("<uuid:ref>/recusar/", acts.refuse, name="refuse"),
    path("<uuid:ref>/devolver/", acts.ask_for_changes, name="ask_for_changes"),
    path("<uuid:ref>/retirar/", acts.withdraw, name="withdraw"),
    path("<uuid:ref>/comentar/", acts.comment, name="comment"),
    path("<uuid:ref>/cancelar/", acts.cancel, name="cancel"),
    path("<uuid:ref>/retomar/", acts.resume, name="resume"),
    path("<uuid:ref>/apontar/", unknown.point, name="point"),
]
