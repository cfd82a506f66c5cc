"""The audit."""

from django.http import HttpResponse
from ninja import Router

from console.api.authentication import Token
from console.api.requests import ApiRequest, reply
from console.api.schemas.answers import AuditAnswer
from console.permissions import Action
from console.scopes import Scope
from drafts import queries

router = Router(tags=["audit"])


@router.get("/audit", auth=Token(Action.READ, Scope.READ), response=AuditAnswer)
def get_audit(request: ApiRequest) -> HttpResponse:
    """Run the five checks now; each is healthy with no more rows than its threshold. `found` shows the first 100."""
    checks = [
        {
            "id": check.id,
            "name": check.name,
            "rows": check.count,
            "threshold": check.threshold,
            "healthy": check.healthy,
            "found": list(check.rows),
        }
        for check in queries.audit()
    ]
    return reply({"checks": checks})
