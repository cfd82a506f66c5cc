"""Every address of the console. Pages are listed in console/views/urls.py, the API in console/api/."""

from django.urls import URLPattern, URLResolver, path

from console.health import healthz

urlpatterns: list[URLPattern | URLResolver] = [
    path("healthz", healthz, name="healthz"),
]
