"""Links to customers, whose ids are any text."""

from django import template

from console.customer_address import customer_address

register = template.Library()


@register.simple_tag
def customer_url(customer_id: str) -> str:
    """Return where the page of a customer is."""
    return customer_address(customer_id)
