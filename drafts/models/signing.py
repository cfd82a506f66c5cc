"""The secret that signs requests to a destination; like the id of a row, it is made by chance where the row is made."""

import base64
import secrets

PREFIX = "whsec_"
SECRET_BYTES = 32


def new_secret() -> str:
    """Return a new secret in the form that Standard Webhooks gives it."""
    return PREFIX + base64.b64encode(secrets.token_bytes(SECRET_BYTES)).decode()
