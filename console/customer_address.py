"""Where the page of a customer is. A customer's id is any text, and not every text can stand in a path."""

from urllib.parse import urlencode

from django.urls import reverse


def customer_address(customer_id: str) -> str:
    """Return the address; what a browser would change on its way (`..`) and line ends stand behind a question mark."""
    if "\n" in customer_id or any(part in {".", ".."} for part in customer_id.split("/")):
        return f"{reverse('customers')}?{urlencode({'id': customer_id})}"
    return reverse("customer", args=[customer_id])
