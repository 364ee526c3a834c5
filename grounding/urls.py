from __future__ import annotations

from django.urls import path

from grounding.views import knowledge as views

app_name = "grounding"
urlpatterns = [
    path("", views.index, name="index"),
    path("enviar/", views.upload, name="upload"),
    path("tentar/", views.retry, name="retry"),
    path("documentos/<uuid:ref>/", views.document, name="document"),
]
