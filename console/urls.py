"""Every address of the console. Pages are listed in console/views/urls.py, the API in console/api/."""

from django.urls import URLPattern, URLResolver, include, path

from console.api import urls as api
from console.health import healthz

urlpatterns: list[URLPattern | URLResolver] = [
    path("healthz", healthz, name="healthz"),
    path("api/v1/", api.urls),
    path("", include("console.views.urls")),
]

handler400 = "console.views.errors.bad_request"
handler403 = "console.views.errors.forbidden"
handler404 = "console.views.errors.not_found"
handler500 = "console.views.errors.failed"
