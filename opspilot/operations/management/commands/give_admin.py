"""`manage.py give_admin`: the role no admin of a company can give alone."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from opspilot.acessos import roles
from opspilot.errors import NotFoundError
from opspilot.tenancy.models import Tenant, User, tenant_id_of
from opspilot.tenancy.scope import tenant_scope


class Command(BaseCommand):
    help = "Give somebody of a company the role admin, beside those they have; a row of the trail."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--company", required=True, help="its short name")
        parser.add_argument("--person", required=True, help="the user name")
        parser.add_argument("--reason", required=True, help="at least ten characters")

    def handle(self, *args: Any, **options: Any) -> None:
        if len(options["reason"].strip()) < roles.MIN_REASON:
            raise CommandError("the reason has at least ten characters")
        tenant_id = tenant_id_of(options["company"])
        with tenant_scope(tenant_id):
            tenant = Tenant.objects.filter(pk=tenant_id).first()
        user = User.objects.filter(username=options["person"]).first()
        if tenant is None or user is None:
            raise CommandError("there is no such company or person")
        try:
            roles.give_admin(tenant=tenant, user=user, reason=options["reason"])
        except NotFoundError as exc:
            raise CommandError("this person is not in that company, or is switched off") from exc
        self.stdout.write(f"{user.get_username()} is an admin of {tenant.slug}")
