from __future__ import annotations

import json
import uuid

import pytest
from hypothesis import given
from hypothesis import strategies as st

from approvals import canonical

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=20),
    lambda inner: (
        st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4)
    ),
    max_leaves=12,
)
ACTIONS = st.dictionaries(st.text(max_size=8), VALUES, max_size=5)


@given(ACTIONS)
def test_the_order_of_keys_does_not_change_the_hash(action: dict[str, object]) -> None:
    reordered = dict(reversed(list(action.items())))
    assert canonical.action_hash(action) == canonical.action_hash(reordered)


@given(ACTIONS, ACTIONS)
def test_two_actions_have_one_hash_only_when_they_are_equal(
    one: dict[str, object], other: dict[str, object]
) -> None:
    same_text = json.dumps(one, sort_keys=True) == json.dumps(other, sort_keys=True)
    assert (canonical.action_hash(one) == canonical.action_hash(other)) is same_text


@pytest.mark.parametrize("value", [1.5, {"inner": 2.0}, [3.0], float("nan"), {1: "x"}, {"b": b"x"}])
def test_a_value_without_one_canonical_form_is_refused(value: object) -> None:
    with pytest.raises(canonical.NotCanonicalError):
        canonical.action_hash({"field": value})


def test_the_marker_is_short_letters_first_and_bound_to_tenant_run_and_hash() -> None:
    tenant, run = uuid.uuid4(), uuid.uuid4()
    made = canonical.marker(key="k", tenant_id=tenant, run_id=run, action_hash="a" * 64)
    assert made.startswith("opk")
    assert len(made) == 35
    others = {
        canonical.marker(key="other", tenant_id=tenant, run_id=run, action_hash="a" * 64),
        canonical.marker(key="k", tenant_id=uuid.uuid4(), run_id=run, action_hash="a" * 64),
        canonical.marker(key="k", tenant_id=tenant, run_id=uuid.uuid4(), action_hash="a" * 64),
        canonical.marker(key="k", tenant_id=tenant, run_id=run, action_hash="b" * 64),
    }
    assert made not in others
    assert len(others) == 4
