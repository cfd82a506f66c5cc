"""The task queue. It only wakes workers: what must be done stands in the database, and a sweep finds the rest."""

import os

from celery import Celery
from celery.signals import setup_logging, worker_init

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "console.settings")

app = Celery("console")
app.set_default()  # in every thread, or those of the web would send to a broker that nobody has set up
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()
app.autodiscover_tasks(related_name="drift_tasks")
app.autodiscover_tasks(related_name="notice_tasks")


@setup_logging.connect  # type: ignore[untyped-decorator] # Celery has no types
def keep_logging(**_given: object) -> None:
    """Leave logging as the settings have it; a receiver of this signal is how Celery is told so."""


@worker_init.connect  # type: ignore[untyped-decorator] # Celery has no types
def require_ready_database(**_given: object) -> None:
    """Let no worker start where the web would not serve. Raises SystemExit: any exception would only be logged."""
    from console.database.boot import NotReadyToServe, require_ready  # noqa: PLC0415 - they need what needs this module

    try:
        require_ready()
    except NotReadyToServe as problem:
        raise SystemExit(str(problem)) from problem
