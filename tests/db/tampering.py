"""What somebody with the superuser's keys could do to a sealed trail, one thing at a time."""

from __future__ import annotations

import random
from collections.abc import Callable
from uuid import UUID

from django.db import connections

from tests.db import sealed
from tests.db.sealed import run

OF_WINDOW = (
    "SELECT id FROM agente_acao WHERE tenant_id = %s AND ocorrido_em >= %s AND ocorrido_em < %s "
    "ORDER BY ocorrido_em, id"
)
EDITS = (
    "resultado = 'erro'",
    "autorizacao = 'humana'",
    "agente = agente || 'x'",
    "aprovado_por = 'operador 1'",
    "custo_centavos = custo_centavos + 1",
    "custo_exato = 0.5",
    "entrada_resumo = NULL",
    "fontes = '[1]'",
    "reversivel = NOT reversivel",
    "correlacao_id = gen_random_uuid()",
    "ocorrido_em = ocorrido_em + interval '1 microsecond'",
    "id = id + 1000000000",
)
SEAL_EDITS = (
    "rows = rows + 1",
    "rows = rows - 1",
    "root = md5('x') || md5('y')",
    "previous = md5('x') || md5('y')",
    "hash = md5('x') || md5('y')",
    "from_at = from_at - interval '1 hour'",
    "until_at = until_at + interval '1 minute'",
    "sealed_at = sealed_at - interval '1 second'",
    "signature = reverse(signature)",
    "key = md5('x') || md5('y')",
    "first_row = first_row + 1",
    "number = number + 100",
)
EDIT = "UPDATE agente_acao SET {} WHERE id = %s"
EDIT_SEAL = "UPDATE trail_seal SET {} WHERE tenant_id = %s AND number = %s"
REHASH = (
    "UPDATE agente_acao a "
    "SET linha_hash = sha256(convert_to((to_jsonb(a) - 'linha_hash')::text, 'UTF8')) WHERE id = %s"
)


class Trail:
    """A sealed trail: the company, the hours that have rows, and dice that fall the same each time."""

    def __init__(self, tenant_id: UUID, hours: tuple[int, ...], seed: int) -> None:
        self.tenant_id, self.hours = tenant_id, hours
        self.dice = random.Random(seed)  # noqa: S311 - no secret: a round can be played again

    def window(self) -> list[int]:
        """The ids of one window's rows, in order."""
        hour = self.dice.choice(self.hours)
        with connections[sealed.SUPERUSER].cursor() as cursor:
            cursor.execute(OF_WINDOW, [self.tenant_id, sealed.at(hour), sealed.at(hour + 1)])
            return [row[0] for row in cursor.fetchall()]


def edit(trail: Trail) -> int:
    row = trail.dice.choice(trail.window())
    return run(EDIT.format(trail.dice.choice(EDITS)), row)


def delete_first(trail: Trail) -> int:
    return run("DELETE FROM agente_acao WHERE id = %s", trail.window()[0])


def delete_middle(trail: Trail) -> int:
    return run("DELETE FROM agente_acao WHERE id = %s", trail.dice.choice(trail.window()[1:-1]))


def delete_last(trail: Trail) -> int:
    return run("DELETE FROM agente_acao WHERE id = %s", trail.window()[-1])


def swap(trail: Trail) -> int:
    """Two rows exchange all they say, but for where they stand; each with the other's hash."""
    one, other = trail.dice.sample(trail.window(), 2)
    return run(
        "UPDATE agente_acao a SET entrada_resumo = b.entrada_resumo, linha_hash = b.linha_hash, "
        "correlacao_id = b.correlacao_id FROM agente_acao b "
        "WHERE (a.id, b.id) IN ((%s, %s), (%s, %s))",
        one, other, other, one,
    )  # fmt: skip


def insert(trail: Trail) -> int:
    """With a hash of its own that is right: in a sealed window, between two, or before all."""
    hour = trail.dice.choice((*trail.hours, 3, 12))
    run("SET LOCAL session_replication_role = 'origin'")
    moment = sealed.at(hour, trail.dice.randrange(60))
    return run(sealed.INSERT, trail.tenant_id, moment, 0)


def recompute(trail: Trail) -> int:
    """Changed, and its hash made anew, as the trigger makes it."""
    row = trail.dice.choice(trail.window())
    run(EDIT.format(trail.dice.choice(EDITS[:8])), row)
    return run(REHASH, row)


def edit_seal(trail: Trail) -> int:
    return run(
        EDIT_SEAL.format(trail.dice.choice(SEAL_EDITS)),
        trail.tenant_id,
        trail.dice.randint(1, len(trail.hours)),
    )


def cut_off(trail: Trail) -> int:
    """The newest windows, with their seals: what is left is a whole and shorter trail."""
    hour = trail.dice.choice(trail.hours)
    run(
        "DELETE FROM agente_acao WHERE tenant_id = %s AND ocorrido_em >= %s",
        trail.tenant_id,
        sealed.at(hour),
    )
    return run(
        "DELETE FROM trail_seal WHERE tenant_id = %s AND until_at > %s",
        trail.tenant_id,
        sealed.at(hour),
    )


KINDS: tuple[Callable[[Trail], int], ...] = (
    edit, delete_first, delete_middle, delete_last, swap, insert, recompute, edit_seal, cut_off,
)  # fmt: skip
