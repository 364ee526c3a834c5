"""Who wrote a policy and who put it in force are two subjects, whatever their names.

A signature is "name (subject)" and the subject is its last bracket, so nobody's name can pass for
another subject. Read from what every release writes: an older one is held to it too.
"""

from __future__ import annotations

from django.db import migrations

TWO_SUBJECTS = r"""
ALTER TABLE policy_version ADD CONSTRAINT policy_version_two_subjects CHECK (
  author = '' OR (
    author ~ '\([^()]+\)$'
    AND substring(author FROM '\(([^()]+)\)$')
      IS DISTINCT FROM substring(activated_by FROM '\(([^()]+)\)$')
  )
)
"""


class Migration(migrations.Migration):
    dependencies = [("approvals", "0012_queue")]

    operations = [
        migrations.RunSQL(
            TWO_SUBJECTS, "ALTER TABLE policy_version DROP CONSTRAINT policy_version_two_subjects"
        )
    ]
