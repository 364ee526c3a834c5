"""A document's life: whose it is, when it is to be reviewed, retired, deleted. What is deleted stays as
a row without its text, and the application may take a text away from nothing else."""

from __future__ import annotations

from django.db import migrations, models
from django.db.models.functions import Now

LIFE = (
    "dono, tipo, data, review_by, retired_at, retired_reason, removal_asked_at, deleted_at, "
    "deleted_by, deleted_by_name, deleted_reason"
)
DEFAULTS = "default_dono, default_tipo, default_review_days"

RIGHTS = f"""
GRANT UPDATE ({LIFE}) ON document TO opspilot_app;
GRANT UPDATE ({DEFAULTS}) ON collection TO opspilot_app;
GRANT UPDATE (text, findings) ON document_version TO opspilot_app;
GRANT DELETE ON chunk, posting, chunk_vector TO opspilot_app;
"""
RIGHTS_BACK = f"""
REVOKE UPDATE ({LIFE}) ON document FROM opspilot_app;
REVOKE UPDATE ({DEFAULTS}) ON collection FROM opspilot_app;
REVOKE UPDATE (text, findings) ON document_version FROM opspilot_app;
REVOKE DELETE ON chunk, posting, chunk_vector FROM opspilot_app;
"""

# Citations are permanent, so the rights above are bounded by what the rows say.
GUARDS = """
CREATE FUNCTION document_stays_deleted() RETURNS trigger LANGUAGE plpgsql
SET search_path = public, pg_temp AS $$
BEGIN
  RAISE EXCEPTION 'document % is deleted and stays so', OLD.id USING ERRCODE = 'check_violation';
END $$;
CREATE TRIGGER document_stays_deleted BEFORE UPDATE ON document FOR EACH ROW
WHEN (OLD.deleted_at IS NOT NULL) EXECUTE FUNCTION document_stays_deleted();

CREATE FUNCTION text_goes_with_its_document() RETURNS trigger LANGUAGE plpgsql
SET search_path = public, pg_temp AS $$
BEGIN
  IF NEW.text <> '' OR NOT EXISTS (
    SELECT FROM document d WHERE d.tenant_id = OLD.tenant_id AND d.id = OLD.document_id
       AND d.deleted_at IS NOT NULL
  ) THEN
    RAISE EXCEPTION 'the text of version % is cited: it goes with its document only', OLD.id
      USING ERRCODE = 'check_violation';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER text_goes_with_its_document BEFORE UPDATE ON document_version FOR EACH ROW
WHEN (NEW.text IS DISTINCT FROM OLD.text) EXECUTE FUNCTION text_goes_with_its_document();

CREATE FUNCTION chunk_goes_with_its_document() RETURNS trigger LANGUAGE plpgsql
SET search_path = public, pg_temp AS $$
BEGIN
  IF NOT EXISTS (
    SELECT FROM document_version v
      JOIN document d ON d.tenant_id = v.tenant_id AND d.id = v.document_id
     WHERE v.tenant_id = OLD.tenant_id AND v.id = OLD.version_id AND d.deleted_at IS NOT NULL
  ) THEN
    RAISE EXCEPTION 'passage % may be cited: it goes with its document only', OLD.id
      USING ERRCODE = 'check_violation';
  END IF;
  RETURN OLD;
END $$;
CREATE TRIGGER chunk_goes_with_its_document BEFORE DELETE ON chunk FOR EACH ROW
EXECUTE FUNCTION chunk_goes_with_its_document();
"""
GUARDS_BACK = """
DROP TRIGGER chunk_goes_with_its_document ON chunk;
DROP FUNCTION chunk_goes_with_its_document();
DROP TRIGGER text_goes_with_its_document ON document_version;
DROP FUNCTION text_goes_with_its_document();
DROP TRIGGER document_stays_deleted ON document;
DROP FUNCTION document_stays_deleted();
"""

# The owner sees no row while security is forced on it too; the migration is one transaction.
WHAT_STANDS = """
ALTER TABLE document NO FORCE ROW LEVEL SECURITY;
ALTER TABLE document_version NO FORCE ROW LEVEL SECURITY;
UPDATE document_version
   SET text_sha256 = encode(sha256(convert_to(rtrim(text, E'\\n'), 'UTF8')), 'hex');
UPDATE document d SET data = v.published_at::date
  FROM document_version v WHERE v.tenant_id = d.tenant_id AND v.document_id = d.id AND v.active;
ALTER TABLE document_version FORCE ROW LEVEL SECURITY;
ALTER TABLE document FORCE ROW LEVEL SECURITY;
"""

KINDS = [
    ("runbook", "runbook"),
    ("politica", "política"),
    ("procedimento", "procedimento"),
    ("contato", "contato"),
    ("outro", "outro"),
]


class Migration(migrations.Migration):
    dependencies = [("grounding", "0002_law")]

    operations = [
        migrations.AddField(
            "document", "dono", models.CharField(blank=True, db_default="", default="", max_length=80)
        ),
        migrations.AddField(
            "document",
            "tipo",
            models.CharField(choices=KINDS, db_default="outro", default="outro", max_length=12),
        ),
        migrations.AddField("document", "data", models.DateField(db_default=Now())),
        migrations.AddField("document", "review_by", models.DateField(null=True)),
        migrations.AddField("document", "retired_at", models.DateTimeField(null=True)),
        migrations.AddField(
            "document",
            "retired_reason",
            models.CharField(blank=True, db_default="", default="", max_length=500),
        ),
        migrations.AddField("document", "removal_asked_at", models.DateTimeField(null=True)),
        migrations.AddField("document", "deleted_at", models.DateTimeField(null=True)),
        migrations.AddField(
            "document",
            "deleted_by",
            models.CharField(blank=True, db_default="", default="", max_length=80),
        ),
        migrations.AddField(
            "document",
            "deleted_by_name",
            models.CharField(blank=True, db_default="", default="", max_length=80),
        ),
        migrations.AddField(
            "document",
            "deleted_reason",
            models.CharField(blank=True, db_default="", default="", max_length=500),
        ),
        migrations.AddField(
            "collection",
            "default_dono",
            models.CharField(blank=True, db_default="", default="", max_length=80),
        ),
        migrations.AddField(
            "collection",
            "default_tipo",
            models.CharField(
                blank=True, choices=KINDS, db_default="", default="", max_length=12
            ),
        ),
        migrations.AddField(
            "collection", "default_review_days", models.PositiveIntegerField(null=True)
        ),
        migrations.AddField(
            "version",
            "text_sha256",
            models.CharField(blank=True, db_default="", default="", max_length=64),
        ),
        migrations.RemoveConstraint("document", "document_tenant_name"),
        migrations.AddConstraint(
            "document",
            models.UniqueConstraint(
                fields=["tenant", "collection", "name"],
                condition=models.Q(deleted_at__isnull=True),
                name="document_tenant_name",
            ),
        ),
        migrations.AddIndex(
            "version",
            models.Index(
                fields=["tenant", "text_sha256"],
                condition=models.Q(active=True),
                name="document_version_text",
            ),
        ),
        migrations.RunSQL(WHAT_STANDS, migrations.RunSQL.noop),
        migrations.RunSQL(RIGHTS, RIGHTS_BACK),
        migrations.RunSQL(GUARDS, GUARDS_BACK),
    ]
