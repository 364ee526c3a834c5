from __future__ import annotations

from django.urls import path

from opspilot.rodadas import feedback, followup_views, run_acts, scheduling, task_views, views

app_name = "rodadas"
urlpatterns = [
    path("comando/", views.command, name="command"),
    path("tarefa/", task_views.task, name="task"),
    path("com-pessoas/", run_acts.with_people, name="with_people"),
    path("<uuid:ref>/", views.run, name="run"),
    path("<uuid:ref>/parar/", run_acts.stop, name="stop"),
    path("<uuid:ref>/tentar/", run_acts.try_anew, name="try_anew"),
    path("<uuid:ref>/embutido/", run_acts.go_on_embedded, name="go_on_embedded"),
    path("<uuid:ref>/assumir/", run_acts.take, name="take"),
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
