"""A refusal is logged in one line; a fault keeps its stack."""

import logging

import pytest

from console.logs import without_traceback_of_refusals


@pytest.mark.parametrize(("level", "kept"), [(logging.WARNING, False), (logging.ERROR, True)])
def test_only_faults_keep_their_stack(level, kept):
    refusal = PermissionError("not for agents")
    stack = (PermissionError, refusal, None)
    record = logging.LogRecord("django.request", level, __file__, 1, "Forbidden", None, stack)

    assert without_traceback_of_refusals(record)
    assert (record.exc_info is not None) is kept
