"""What runs each command that a document tells somebody to type.

`HELD` names the place and the words in it; a command that is run by the tests of this folder's
neighbour `tests/db/test_documented_commands.py` is in `RUN`. A document may name no other.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Held:
    """A file of this repository, and words that stand in it."""

    place: str
    words: str


_CI, _COLD = ".ci/run", ".ci/cold_start.py"
_ROLES = Held(
    "tests/unit/bootstrap/test_bootstrap_postgres.py", "making_the_roles_twice_is_harmless"
)
_HELP = Held("tests/unit/bootstrap/test_bootstrap_up.py", "test_help_needs_no_database")
_DSN = Held("tests/unit/bootstrap/test_bootstrap_up.py", "test_dsn_prints_a_url_that_works")
_PART = Held(
    "tests/unit/bootstrap/test_bootstrap_environment.py",
    "test_test_runs_pytest_on_a_throw_away_database_and_ends_with_its_code",
)
_SMOKE = Held(_CI, "python3 manage.py smoke --json")
_EXTRACT = Held(
    "tests/unit/locale/test_catalogue_english.py",
    "test_the_catalogue_is_written_the_same_from_the_same_messages",
)
_UNLOCK = Held(
    "tests/db/test_accounts_lockout.py", "test_an_operator_opens_it_by_the_person_or_the_address"
)

_PARTITIONS = "tests/db/test_partitions_command.py"

_VERIFIED = Held(
    "tests/db/test_seal_lane.py", "test_the_command_judges_by_a_head_that_was_exported"
)
_ROLLBACK = Held("tests/db/test_rollback.py", "test_the_command_ends_with_one_while_a_person")

HELD: dict[str, Held] = {
    "python3 manage.py rollback_check --handler-version 1": _ROLLBACK,
    "python3 manage.py partitions plan": Held(_PARTITIONS, 'run("plan")'),
    "python3 manage.py partitions expire": Held(_PARTITIONS, 'run("expire")'),
    "python3 manage.py partitions verify": Held(_PARTITIONS, 'run("verify")'),
    "python3 manage.py partitions restore-check ARCHIVE": Held(
        _PARTITIONS, 'run("restore-check", str(place'
    ),
    "python3 manage.py up": Held(_COLD, '"manage.py", "up"'),
    "python3 manage.py test": Held(_CI, "\npython3 manage.py test\n"),
    "python3 manage.py smoke": _SMOKE,
    "python3 manage.py smoke --json": _SMOKE,
    "python3 manage.py test tests/crash -m crash": Held(_CI, "manage.py test tests/crash "),
    "python3 manage.py test tests/crash -m soak": Held(
        "tests/crash/test_soak.py", "test_however_often_the_database_dies"
    ),
    "python3 manage.py test tests/db/test_decisions.py": _PART,
    "TEST_PICTURES=1 python3 manage.py test tests/web/test_web_first_hour.py": Held(
        "tests/web/test_web_first_hour.py", "test_the_pictures_of_the_documents_can_be_written"
    ),
    "python3 manage.py dsn --role reader": _DSN,
    "LIVE_GITLAB_URL=ADDRESS LIVE_GITLAB_TOKEN=TOKEN python3 manage.py live_smoke gitlab "
    "--project ID --i-know-this-creates-an-issue --record FILE": Held(
        "tests/db/test_live_smoke.py", '"gitlab", "--project", str(PROJECT)'
    ),
    "LIVE_MODEL_URL=ADDRESS LIVE_MODEL_TOKEN=TOKEN LIVE_MODEL_NAME=MODEL "
    "python3 manage.py live_smoke model --i-know-this-sends-text --record FILE": Held(
        "tests/db/test_live_smoke.py", '"live_smoke", "model", "--record"'
    ),
    "LIVE_SEMAPHORE_URL=ADDRESS LIVE_SEMAPHORE_TOKEN=TOKEN python3 manage.py live_smoke semaphore "
    "--project ID --template ID --host HOST --i-know-this-runs-a-task --record FILE": Held(
        "tests/db/test_live_smoke.py", '"--template", "21", "--host", HOST'
    ),
    "python3 manage.py verify_export rastro.zip --key PUBLIC": Held(
        "tests/db/test_verify_export.py", '"verify_export", str(package.path), "--key", public'
    ),
    "python3 manage.py verify_export prova.json --key PUBLIC": Held(
        "tests/db/test_proof_offline.py", '"verify_export", str(path), "--key", proven.key'
    ),
    "python3 manage.py prove_effect REF --tenant aurora --out prova.json": Held(
        "tests/db/test_proof_offline.py", '"prove_effect", str(approved.proposal.ref), "--tenant"'
    ),
    "python3 manage.py audit_pack --quarter 2026-T4 --tenant aurora --size 25 --seed SEED "
    "--out amostra.zip": Held("tests/db/test_proof_offline.py", "def a_pack("),
    "python3 manage.py worker": Held("opspilot/bootstrap/instance.py", '"manage.py", "worker"'),
    "python3 manage.py mcp --host 127.0.0.1 --port 8100": Held(
        "tests/db/test_mcp.py", '"manage.py", "mcp", "--port"'
    ),
    'python3 docs/examples/customer_service.py P-1044 12000 "cobrança em dobro"': Held(
        "tests/db/test_worked_agent.py", 'PROGRAM = "docs/examples/customer_service.py"'
    ),
    "python3 manage.py help": _HELP,
    "python3 manage.py shell": Held(
        "tests/db/test_documented_commands.py", "test_what_is_typed_into_the_shell_works"
    ),
    "python3 manage.py extract_translations": _EXTRACT,
    "python3 manage.py check --deploy --fail-level WARNING": Held(
        _CI, "python3 manage.py check --deploy --fail-level WARNING"
    ),
    "python3 manage.py axes_reset_username operador1.aurora": _UNLOCK,
    "python3 manage.py axes_reset_ip 203.0.113.9": _UNLOCK,
    "python3 manage.py eval_retrieval --data QUESTIONS --documents DOCUMENTS --cache CACHE --json": Held(
        ".ci/retrieval_gate.py", '"manage.py", "eval_retrieval", "--data"'
    ),
    "python3 manage.py eval_agent --json": Held(
        "tests/db/test_eval_agent.py", "test_the_worst_planner_reaches_nothing"
    ),
    "python3 manage.py verify_trail": Held(
        "tests/db/test_seal_lane.py", "test_the_command_checks_every_company"
    ),
    "python3 manage.py verify_trail --export-heads FILE": _VERIFIED,
    "python3 manage.py verify_trail --heads FILE": _VERIFIED,
    "python3 manage.py test tests/unit/connectors/test_local_model.py -m machine -q -rs": Held(
        "tests/unit/connectors/test_local_model.py", "pytest.mark.machine"
    ),
    "poe tamper": Held(
        "tests/db/test_seal_tampering.py", "test_in_a_thousand_rounds_every_one_is_found"
    ),
    "poe check": Held(_CI, "-m poethepoet check"),
    ".ci/run": Held(".github/workflows/ci.yml", "run: .ci/run"),
    ".venv/bin/pre-commit install": Held(
        "tests/unit/docs/test_habits.py", "test_the_commit_hooks_can_be_installed"
    ),
    "git clone ADDRESS opspilot": Held(_COLD, '"git", "clone"'),
    "psql -X -v ON_ERROR_STOP=1 -d postgres -v database=opspilot -v owner_password=… "
    "-v app_password=… -v reader_password=… -v maintenance_password=… -v backup_password=… "
    "-f docs/deploy/roles.sql": _ROLES,
}

RUN = {
    "python3 -c \"import uuid; print(uuid.uuid5(uuid.NAMESPACE_URL, 'opspilot:tenant:aurora'))\"",
    "python3 manage.py collectstatic --noinput",
    "python3 manage.py compile_translations",
    "python3 manage.py doctor --tenant aurora",
    "python3 manage.py load_runbooks DIR --tenant aurora --collection plataforma",
    "python3 manage.py migrate --database owner --noinput",
    "python3 manage.py partitions create",
    "python3 manage.py query custo-por-agente-e-dia --tenant aurora --param periodo=mes_passado",
    "python3 manage.py verify_costs --tenant aurora",
    ".venv/bin/python -m granian --interface wsgi --host 127.0.0.1 --port 8000 "
    "--blocking-threads 8 opspilot.wsgi:application",
}
