from django.apps import AppConfig


class LedgerConfig(AppConfig):
    name = "ledger"
    label = "ledger"
    verbose_name = "What was promised and what it rests on"
