from __future__ import annotations

from django.urls import path

from approvals import views

app_name = "approvals"
urlpatterns = [
    path("", views.inbox, name="inbox"),
    path("<uuid:ref>/", views.detail, name="detail"),
    path("<uuid:ref>/aprovar/", views.approve, name="approve"),
    path("<uuid:ref>/recusar/", views.refuse, name="refuse"),
    path("<uuid:ref>/cancelar/", views.cancel, name="cancel"),
    path("<uuid:ref>/retomar/", views.resume, name="resume"),
]
