"""The append-only, monthly partitioned trail; the law of the entity registry."""

from __future__ import annotations

from django.db import migrations

from opspilot.tenancy.schema import tenant_table

TRAIL = """
CREATE SEQUENCE agente_acao_id_seq;
CREATE TABLE agente_acao (
  tenant_id       uuid         NOT NULL REFERENCES tenant (id),
  id              bigint       NOT NULL DEFAULT nextval('agente_acao_id_seq'),
  ocorrido_em     timestamptz  NOT NULL DEFAULT clock_timestamp(),
  correlacao_id   uuid         NOT NULL,
  agente          text         NOT NULL,
  agente_versao   text         NOT NULL,
  modelo          text         NOT NULL,
  modelo_pedido   text,
  instrucao_hash  text         NOT NULL,
  acao            text         NOT NULL,
  entidade_tipo   text,
  entidade_id     text,
  resultado       text         NOT NULL CHECK (resultado IN ('ok', 'recusado', 'erro', 'desconhecido', 'pendente', 'expirado')),
  autorizacao     text         NOT NULL CHECK (autorizacao IN ('regra', 'previa', 'humana', 'pendente')),
  aprovado_por    text,
  aprovacao_id    bigint,
  politica_versao integer,
  fontes          jsonb        NOT NULL DEFAULT '[]',
  entrada_resumo  text,
  saida_resumo    text,
  tokens_entrada  integer      NOT NULL DEFAULT 0,
  tokens_saida    integer      NOT NULL DEFAULT 0,
  uso_conhecido   boolean      NOT NULL DEFAULT true,
  custo_centavos  integer      NOT NULL DEFAULT 0,
  custo_exato     numeric(18, 6),
  duracao_ms      integer,
  reversivel      boolean      NOT NULL DEFAULT false,
  reversao_ref    text,
  erro            text,
  request_id      text,
  trace_id        text,
  informado_em    timestamptz,
  linha_hash      bytea        NOT NULL DEFAULT ''::bytea,
  PRIMARY KEY (id, ocorrido_em)
) PARTITION BY RANGE (ocorrido_em);
ALTER SEQUENCE agente_acao_id_seq OWNED BY agente_acao.id;

CREATE INDEX agente_acao_entidade ON agente_acao (tenant_id, entidade_tipo, entidade_id, ocorrido_em DESC, id DESC);
CREATE INDEX agente_acao_correlacao ON agente_acao (tenant_id, correlacao_id);
CREATE INDEX agente_acao_agente ON agente_acao (tenant_id, agente, ocorrido_em DESC);
CREATE INDEX agente_acao_resultado ON agente_acao (tenant_id, resultado) WHERE resultado <> 'ok';

ALTER TABLE agente_acao ENABLE ROW LEVEL SECURITY;
ALTER TABLE agente_acao FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON agente_acao
  USING (tenant_id = nullif(current_setting('opspilot.tenant_id', true), '')::uuid)
  WITH CHECK (tenant_id = nullif(current_setting('opspilot.tenant_id', true), '')::uuid);

-- Every column but the identity, the instant and the hash: those are the database's own word.
GRANT SELECT, INSERT (
  tenant_id, correlacao_id, agente, agente_versao, modelo, modelo_pedido, instrucao_hash, acao,
  entidade_tipo, entidade_id, resultado, autorizacao, aprovado_por, aprovacao_id, politica_versao,
  fontes, entrada_resumo, saida_resumo, tokens_entrada, tokens_saida, uso_conhecido, custo_centavos,
  custo_exato, duracao_ms, reversivel, reversao_ref, erro, request_id, trace_id, informado_em
) ON agente_acao TO opspilot_app;
GRANT USAGE ON SEQUENCE agente_acao_id_seq TO opspilot_app;
GRANT SELECT ON agente_acao TO opspilot_reader;

-- SHA-256 of the row's own fields. The zone is pinned: timestamps must print alike for everybody.
CREATE FUNCTION agente_acao_linha_hash() RETURNS trigger LANGUAGE plpgsql
SET search_path = public, pg_temp SET timezone = 'UTC' AS $$
BEGIN
  NEW.linha_hash := sha256(convert_to((to_jsonb(NEW) - 'linha_hash')::text, 'UTF8'));
  RETURN NEW;
END $$;
CREATE TRIGGER linha_hash BEFORE INSERT ON agente_acao
  FOR EACH ROW EXECUTE FUNCTION agente_acao_linha_hash();

CREATE FUNCTION append_only() RETURNS trigger LANGUAGE plpgsql
SET search_path = public, pg_temp AS $$
BEGIN
  RAISE EXCEPTION '% on % refused: the table is append-only', TG_OP, TG_TABLE_NAME
    USING ERRCODE = 'insufficient_privilege';
END $$;
CREATE TRIGGER append_only BEFORE UPDATE OR DELETE ON agente_acao
  FOR EACH ROW EXECUTE FUNCTION append_only();
CREATE TRIGGER append_only_truncate BEFORE TRUNCATE ON agente_acao
  FOR EACH STATEMENT EXECUTE FUNCTION append_only();

-- Creates one UTC month: built apart, checked, then attached, so a running write is never blocked
-- for longer than the attach. True when the month is new. Executed by the maintenance role.
CREATE FUNCTION create_trail_month(month date) RETURNS boolean LANGUAGE plpgsql SECURITY DEFINER
SET search_path = public, pg_temp SET timezone = 'UTC' SET lock_timeout = '5s' AS $$
DECLARE
  lower_bound timestamptz := date_trunc('month', month)::timestamptz;
  upper_bound timestamptz := (date_trunc('month', month) + interval '1 month')::timestamptz;
  child text := 'agente_acao_' || to_char(month, 'YYYY_MM');
BEGIN
  PERFORM pg_advisory_xact_lock(hashtext('create_trail_month'));
  IF to_regclass(child) IS NOT NULL THEN
    RETURN false;
  END IF;
  EXECUTE format('CREATE TABLE %I (LIKE agente_acao INCLUDING DEFAULTS INCLUDING CONSTRAINTS)', child);
  EXECUTE format('ALTER TABLE %I ADD CONSTRAINT month CHECK (ocorrido_em >= %L AND ocorrido_em < %L)',
                 child, lower_bound, upper_bound);
  EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', child);
  EXECUTE format('ALTER TABLE %I FORCE ROW LEVEL SECURITY', child);
  EXECUTE format('CREATE TRIGGER append_only_truncate BEFORE TRUNCATE ON %I '
                 'FOR EACH STATEMENT EXECUTE FUNCTION append_only()', child);
  EXECUTE format('ALTER TABLE agente_acao ATTACH PARTITION %I FOR VALUES FROM (%L) TO (%L)',
                 child, lower_bound, upper_bound);
  RETURN true;
END $$;
REVOKE ALL ON FUNCTION create_trail_month(date) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION create_trail_month(date) TO opspilot_maintenance;
"""

UNDO = """
DROP TABLE agente_acao;
DROP FUNCTION create_trail_month(date);
DROP FUNCTION append_only();
DROP FUNCTION agente_acao_linha_hash();
"""


class Migration(migrations.Migration):
    dependencies = [("audit", "0001_initial")]

    operations = [
        migrations.RunSQL(TRAIL, UNDO),
        tenant_table("entity", reader=True),
    ]
