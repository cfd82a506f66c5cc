"""The web console. Importing it makes its task queue the one that tasks are sent to."""

from console.celery import app as celery_app

__all__ = ["celery_app"]
