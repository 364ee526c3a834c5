"""The addresses behind the door. Not among the console's: see `door`."""

from __future__ import annotations

from django.urls import path

from opspilot.api.routes import PREFIX, api

urlpatterns = [path(PREFIX.lstrip("/"), api.urls)]
