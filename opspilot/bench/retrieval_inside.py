"""The half of `eval_retrieval` that runs as the application itself, in the throw-away instance.

Not a management command: it publishes and asks as nobody, which no company should meet by a slip.
"""

from __future__ import annotations

from typing import Any

from opspilot.bench import jobs


def _publish(job: dict[str, Any]) -> dict[str, Any]:
    from opspilot.bench import retrieval_publishing

    return retrieval_publishing.publish(job)


def _ask(job: dict[str, Any]) -> dict[str, Any]:
    from opspilot.bench import retrieval_asking

    return retrieval_asking.ask(job)


STAGES: jobs.Stages = {"publish": _publish, "ask": _ask}

if __name__ == "__main__":
    jobs.run(STAGES)
