"""What goes to the log."""

import logging


def without_traceback_of_refusals(record: logging.LogRecord) -> bool:
    """Keep every record, but a refusal (below ERROR) without its stack: it is an answer, not a fault."""
    if record.levelno < logging.ERROR:
        record.exc_info = None
        record.exc_text = None
    return True
