"""Tenants, people and their memberships, and the base every tenant table's model stands on."""

from __future__ import annotations

import dataclasses
from typing import ClassVar, Self, TypeVar
from uuid import NAMESPACE_URL, UUID, uuid5

from django.contrib.auth.models import AbstractUser
from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models.functions import Now
from django.utils.translation import gettext_lazy as _

from opspilot.tenancy.preferences import Contrast, Density, Preferences, Theme
from opspilot.tenancy.principal import Role
from opspilot.tenancy.scope import current_tenant_id

M = TypeVar("M", bound=models.Model)
PREFERENCES = tuple(field.name for field in dataclasses.fields(Preferences))
"""Columns of the person's row, by the names of the value."""


def tenant_id_of(slug: str) -> UUID:
    """A tenant's id follows from its permanent slug: a slug needs no look-up before a tenant is
    set, and two tenants cannot share one (ADR 0004)."""
    return uuid5(NAMESPACE_URL, f"opspilot:tenant:{slug}")


class User(AbstractUser):
    """A person who can log in. Global: it says nothing about any tenant."""

    display_name = models.CharField(_("nome"), max_length=80)

    language = models.CharField(max_length=10, blank=True, default="")
    time_zone = models.CharField(max_length=64, blank=True, default="")
    theme = models.CharField(max_length=10, choices=Theme.choices, default=Theme.SYSTEM)
    contrast = models.CharField(max_length=10, choices=Contrast.choices, default=Contrast.NORMAL)
    density = models.CharField(max_length=12, choices=Density.choices, default=Density.COMFORTABLE)
    shortcuts = models.BooleanField(default=True)
    next_item = models.BooleanField(default=True)
    mail_notices = models.BooleanField(default=True, db_default=True)

    class Meta(AbstractUser.Meta):
        db_table = "console_user"

    @property
    def preferences(self) -> Preferences:
        return Preferences(**{name: getattr(self, name) for name in PREFERENCES})

    def __str__(self) -> str:
        return self.display_name or self.username


class Tenant(models.Model):
    """A company. Its own row level security policy compares `id`."""

    id = models.UUIDField(primary_key=True)
    slug = models.SlugField(max_length=40, db_index=False)
    name = models.CharField(max_length=120)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        db_table = "tenant"

    def __str__(self) -> str:
        return self.name


class TenantManager(models.Manager[M]):
    """Always filters by the scope's tenant, beside row level security; no scope is an error."""

    def get_queryset(self) -> models.QuerySet[M]:
        return super().get_queryset().filter(tenant_id=current_tenant_id())


class TenantModel(models.Model):
    """A row of one tenant. The table's migration ends with `tenancy.schema.tenant_table`."""

    id = models.BigAutoField(primary_key=True)
    tenant = models.ForeignKey(Tenant, models.PROTECT, related_name="+", db_index=False)

    objects: ClassVar[TenantManager[Self]] = TenantManager()

    class Meta:
        abstract = True


class Membership(TenantModel):
    """The roles a person holds in a tenant."""

    user = models.ForeignKey(User, models.PROTECT, related_name="+", db_index=False)
    roles = ArrayField(models.CharField(max_length=20, choices=Role.choices))
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        db_table = "membership"
        constraints = [
            models.UniqueConstraint(fields=["tenant", "id"], name="membership_tenant_id"),
            models.UniqueConstraint(fields=["tenant", "user"], name="membership_tenant_user"),
        ]

    def __str__(self) -> str:
        return f"{self.user_id} {self.roles}"


class MembershipChange(TenantModel):
    """What a person was from `at` on, until their next row. Written by the database alone.

    `roles` empty = no longer in the company. `baseline` = found like this when the history began.
    """

    subject = models.CharField(max_length=80)
    name = models.CharField(max_length=80)
    roles = ArrayField(models.CharField(max_length=20))
    active = models.BooleanField()
    baseline = models.BooleanField(default=False)
    at = models.DateTimeField(db_default=Now())

    class Meta:
        db_table = "membership_change"
        constraints = [
            models.UniqueConstraint(fields=["tenant", "id"], name="membership_change_tenant_id"),
        ]
        indexes = [
            models.Index(fields=["tenant", "subject", "-id"], name="membership_change_of"),
        ]

    def __str__(self) -> str:
        return f"{self.subject} {self.roles}"
