from __future__ import annotations

from django.urls import path

from opspilot.colecoes import views

app_name = "colecoes"
urlpatterns = [
    path("", views.index, name="index"),
    path("<slug:slug>/", views.collection, name="collection"),
    path("<slug:slug>/conceder/", views.grant, name="grant"),
    path("<slug:slug>/tirar/", views.revoke, name="revoke"),
]
