from django.apps import AppConfig


class DraftsConfig(AppConfig):
    name = "drafts"
    label = "drafts"
    verbose_name = "The review of drafts"
