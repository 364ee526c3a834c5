from __future__ import annotations

from django.urls import path

from opspilot.rodadas import feedback, followup_views, scheduling, task_views, views

app_name = "rodadas"
urlpatterns = [
    path("comando/", views.command, name="command"),
    path("tarefa/", task_views.task, name="task"),
    path("<uuid:ref>/", views.run, name="run"),
    path("<uuid:ref>/tarefa/", task_views.task_of_run, name="task_of_run"),
    path("<uuid:ref>/conferir/", task_views.check, name="check"),
    path("<uuid:ref>/desfazer/", task_views.undo, name="undo_task"),
    path("<uuid:ref>/proposta/", views.propose, name="propose"),
    path("<uuid:ref>/aprovacao/", views.proposal, name="proposal"),
    path("<uuid:ref>/confirmar/", views.confirm, name="confirm"),
    path("<uuid:ref>/agendar/", scheduling.choose, name="schedule"),
    path("sobre/<uuid:ref>/reversao/", followup_views.undo, name="undo"),
    path("sobre/<uuid:ref>/reenvio/", followup_views.send_again, name="send_again"),
    path("<uuid:ref>/nao-ajudou/", feedback.did_not_help, name="did_not_help"),
    path("<uuid:ref>/de-novo/", views.again, name="again"),
]
