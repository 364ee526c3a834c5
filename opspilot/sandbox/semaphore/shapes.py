"""Records as the remote shows them."""

from __future__ import annotations

from opspilot.sandbox.semaphore.model import Record, Settings, Task


def shown(record: Record) -> Record:
    """Without what the API keeps to itself."""
    return {name: value for name, value in record.items() if not name.startswith("_")}


def template(record: Record, settings: Settings) -> Record:
    """Before 2.13 a template has no parameters."""
    found = shown(record)
    if not settings.modern:
        del found["task_params"]
    return found


def task(found: Task, settings: Settings) -> Record:
    """The limit is repeated as it came in, also where it is ignored."""
    record: Record = {
        "id": found.id,
        "template_id": found.template_id,
        "project_id": found.project_id,
        "status": found.status,
        "playbook": found.playbook,
        "environment": found.environment,
        "limit": found.limit,
        "arguments": found.arguments,
        "git_branch": found.git_branch,
        "inventory_id": found.inventory_id,
        "user_id": found.user_id,
        "message": found.message,
        "commit_hash": found.commit_hash,
        "created": found.created,
        "start": found.start,
        "end": found.end,
    }
    if settings.modern:
        return record | {"params": found.params}
    return record | {"dry_run": found.dry_run, "diff": found.diff}


def listed(found: Task, settings: Settings, of: Record) -> Record:
    """A row of a list: a task, and a little of its template."""
    names = {"tpl_alias": "name", "tpl_playbook": "playbook", "tpl_type": "type", "tpl_app": "app"}
    own = {shown_as: of.get(name, "") for shown_as, name in names.items()}
    return task(found, settings) | own
