"""Start, stop and look at the embedded database."""

from argparse import ArgumentParser

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError


class Command(BaseCommand):
    help = "Start, stop or look at the embedded database."
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("action", choices=["start", "stop", "status"])

    def handle(self, *_args: object, **options: object) -> None:
        cluster = settings.DATABASE_PLACE.cluster
        if cluster is None:
            raise CommandError("DATABASE_URL is set, so there is no embedded database to start or stop.")
        if options["action"] == "start":
            started = cluster.start()
            self.stdout.write(f"{'Started' if started else 'Already running'}: {cluster.home}")
        elif options["action"] == "stop":
            stopped = cluster.stop()
            self.stdout.write(f"{'Stopped' if stopped else 'Was not running'}: {cluster.home}")
        else:
            pid = cluster.running_pid()
            self.stdout.write(f"{f'Running as process {pid}' if pid else 'Not running'}: {cluster.home}")
