-- Roles, database and extension, made once by the server's superuser. Running it again changes only the passwords.
--
--   psql -X -v ON_ERROR_STOP=1 -d postgres -v database=opspilot \
--        -v owner_password=... -v app_password=... -v reader_password=... \
--        -v maintenance_password=... -v backup_password=... -f roles.sql
--
-- opspilot_owner        migrations only; owns the tables
-- opspilot_app          web and worker; owns nothing, may not TRUNCATE, subject to row level security
-- opspilot_reader       auditors' reports
-- opspilot_maintenance  may execute the partition functions, nothing else
-- opspilot_backup       reads every row, writes none
-- opspilot_definer      NOLOGIN; owns the definer functions that must work before a tenant is known

SELECT format('CREATE ROLE %I %s', role, attributes)
  FROM (VALUES ('opspilot_owner', 'LOGIN'), ('opspilot_app', 'LOGIN'), ('opspilot_reader', 'LOGIN'),
               ('opspilot_maintenance', 'LOGIN'), ('opspilot_backup', 'LOGIN BYPASSRLS'),
               ('opspilot_definer', 'NOLOGIN')) AS wanted (role, attributes)
 WHERE NOT EXISTS (SELECT FROM pg_roles WHERE rolname = role) \gexec

-- A password must never be kept in the server's log, whatever it logs otherwise.
SET log_statement = 'none';
SET log_min_error_statement = 'panic';
ALTER ROLE opspilot_owner PASSWORD :'owner_password';
ALTER ROLE opspilot_app PASSWORD :'app_password';
ALTER ROLE opspilot_reader PASSWORD :'reader_password';
ALTER ROLE opspilot_maintenance PASSWORD :'maintenance_password';
ALTER ROLE opspilot_backup PASSWORD :'backup_password';

-- The owner may become the definer to create its functions, but inherits none of what it sees.
GRANT opspilot_definer TO opspilot_owner WITH INHERIT FALSE, SET TRUE;

SELECT format('CREATE DATABASE %I OWNER opspilot_owner TEMPLATE template0 ENCODING ''UTF8''', :'database')
 WHERE NOT EXISTS (SELECT FROM pg_database WHERE datname = :'database') \gexec

\connect :database
CREATE EXTENSION IF NOT EXISTS vector;
REVOKE ALL ON DATABASE :"database" FROM PUBLIC;
GRANT CONNECT ON DATABASE :"database" TO opspilot_app, opspilot_reader, opspilot_maintenance, opspilot_backup;
REVOKE ALL ON SCHEMA public FROM PUBLIC;
GRANT USAGE, CREATE ON SCHEMA public TO opspilot_owner, opspilot_definer;
GRANT USAGE ON SCHEMA public TO opspilot_app, opspilot_reader, opspilot_maintenance, opspilot_backup;
GRANT pg_read_all_data TO opspilot_backup;
