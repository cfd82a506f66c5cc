"""A refusal is logged in one line; a fault keeps its stack."""

import logging
import sys

import pytest

from console.logs import without_traceback_of_refusals


@pytest.mark.parametrize(("level", "kept"), [(logging.WARNING, False), (logging.ERROR, True)])
def test_only_faults_keep_their_stack(level, kept):
    try:
        raise PermissionError("not for agents")
    except PermissionError:
        record = logging.LogRecord("django.request", level, __file__, 1, "Forbidden", None, sys.exc_info())

    assert without_traceback_of_refusals(record)
    assert (record.exc_info is not None) is kept
