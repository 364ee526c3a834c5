from __future__ import annotations

from django.apps import AppConfig


class BudgetsConfig(AppConfig):
    name = "opspilot.budgets"
    label = "budgets"
