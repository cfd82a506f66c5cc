"""Make the database ready."""

from argparse import ArgumentParser

from django.conf import settings
from django.core.management import call_command
from django.core.management.base import BaseCommand

from console.database.preparing import migrate, preparation


class Command(BaseCommand):
    help = (
        "Start the embedded database if it is used, create roles and database, migrate, and create the sample people."
    )
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--no-people", action="store_true", help="do not create the sample people")

    def handle(self, *_args: object, **options: object) -> None:
        with preparation(settings.DATABASE_PLACE):
            migrate()
        if not options["no_people"]:
            call_command("create_people")
        cluster = settings.DATABASE_PLACE.cluster
        self.stdout.write(f"The database is ready{f' in {cluster.home}' if cluster else ''}.")
