"""The settings of `up` with the pseudo-locale in the place of the catalogue. For the tests' server only."""

from __future__ import annotations

import os
from pathlib import Path

from opspilot.settings.local import *  # noqa: F403

LOCALE_PATHS = [Path(os.environ["PSEUDO_LOCALE"])]
