from __future__ import annotations

from django.urls import path

from opspilot.rodadas import views

app_name = "rodadas"
urlpatterns = [
    path("comando/", views.command, name="command"),
    path("<uuid:ref>/", views.run, name="run"),
    path("<uuid:ref>/proposta/", views.propose, name="propose"),
    path("<uuid:ref>/aprovacao/", views.proposal, name="proposal"),
    path("<uuid:ref>/confirmar/", views.confirm, name="confirm"),
    path("<uuid:ref>/de-novo/", views.again, name="again"),
]
