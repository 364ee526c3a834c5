"""`manage.py compile_translations`: the .po catalogues to .mo, by Babel, no gettext tools needed."""

from __future__ import annotations

import os
from typing import Any

from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po
from django.conf import settings
from django.core.management.base import BaseCommand


class Command(BaseCommand):
    help = "Compile the translation catalogues."
    requires_system_checks: list[str] = []

    def handle(self, *args: Any, **options: Any) -> None:
        for folder in settings.LOCALE_PATHS:
            for source in sorted(folder.glob("*/LC_MESSAGES/*.po")):
                with source.open("rb") as file:
                    catalogue = read_po(file)
                # Whole or not at all: a start trusts a file that is younger than its source.
                part = source.with_suffix(f".{os.getpid()}.part")
                with part.open("wb") as file:
                    write_mo(file, catalogue)
                part.replace(source.with_suffix(".mo"))
                self.stdout.write(f"{source.relative_to(folder)}: {len(catalogue)} messages")
