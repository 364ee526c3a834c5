from __future__ import annotations

from django.urls import path

from audit.views import story

app_name = "audit"
urlpatterns = [
    path("", story.start, name="start"),
    path("entidades/", story.lookup, name="lookup"),
    path("entidades/procurar/", story.find, name="find"),
    path("entidades/<slug:type_>/<uuid:ref>/", story.entity, name="entity"),
    path("correlacao/<uuid:run_id>/", story.correlation, name="correlation"),
]
