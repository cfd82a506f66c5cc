"""The entry point of a WSGI server; it refuses to start where serving would be unsafe."""

import os

from django.core.wsgi import get_wsgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "console.settings")

application = get_wsgi_application()

from console.database.boot import require_ready  # noqa: E402 - needs the applications that the line above loads

require_ready()
