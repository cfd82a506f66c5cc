"""Signing in and out."""

from django.contrib.auth.forms import AuthenticationForm
from django.contrib.auth.views import LoginView, LogoutView
from django.utils.decorators import method_decorator
from django.views.decorators.cache import never_cache


class SignInForm(AuthenticationForm):
    """One sentence for every failure, so that nobody learns which names exist."""

    error_messages = {
        "invalid_login": "This name and password do not belong together. Check both and try again.",
        "inactive": "This name and password do not belong together. Check both and try again.",
    }


@method_decorator(never_cache, name="dispatch")
class SignIn(LoginView):
    """The log-in page; `next` is followed only within this site."""

    template_name = "login.html"
    authentication_form = SignInForm
    redirect_authenticated_user = True


@method_decorator(never_cache, name="dispatch")
class SignOut(LogoutView):
    """Ends the session; only by POST."""
