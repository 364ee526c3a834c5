from __future__ import annotations

from django.urls import path

from opspilot.preferences import views

app_name = "preferences"
urlpatterns = [
    path("conta/preferencias/", views.index, name="index"),
    path("conta/empresa/", views.tenant, name="tenant"),
    path("idioma/", views.language, name="language"),
    path("ajuda/atalhos/", views.shortcuts, name="shortcuts"),
    path("ajuda/atalhos/trocar/", views.switch_shortcuts, name="switch_shortcuts"),
]
