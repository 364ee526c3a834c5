from __future__ import annotations

from django.urls import path

from audit import views

app_name = "audit"
urlpatterns = [
    path("", views.start, name="start"),
    path("entidades/", views.lookup, name="lookup"),
    path("entidades/procurar/", views.find, name="find"),
    path("entidades/<slug:type_>/<uuid:ref>/", views.entity, name="entity"),
    path("correlacao/<uuid:run_id>/", views.correlation, name="correlation"),
]
