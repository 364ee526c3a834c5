from __future__ import annotations

from django.urls import path

from opspilot.notices import views

app_name = "notices"
urlpatterns = [
    path("", views.index, name="index"),
    path("incluir/", views.add, name="add"),
    path("<uuid:ref>/", views.detail, name="detail"),
    path("<uuid:ref>/testar/", views.try_out, name="try_out"),
    path("<uuid:ref>/desligar/", views.switch_off, name="switch_off"),
]
