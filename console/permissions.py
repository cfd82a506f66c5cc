"""Who may do what: the one rule for pages, API and commands. Whether it may happen now is the services' business."""

from enum import StrEnum

from django.contrib.auth.models import AnonymousUser, User

from console.scopes import Scope
from drafts.queries import CORRECTING_ROLES, roles_of

AGENT, POLICY_OWNER, MANAGER, ADMINISTRATOR = "agent", "policy_owner", "manager", "administrator"
EVERYBODY = frozenset({AGENT, POLICY_OWNER, MANAGER, ADMINISTRATOR})


class Action(StrEnum):
    """What a person can want to do here."""

    READ = "read"
    BRING_IN = "bring_in"
    DECIDE = "decide"
    CORRECT = "correct"
    CHANGE_SOURCES = "change_sources"
    CONFIGURE = "configure"
    AUDIT = "audit"
    REPORT = "report"


ALLOWED = {
    Action.READ: EVERYBODY,
    Action.BRING_IN: EVERYBODY,  # drafts, asks, messages, ticket fields: what a bot or helpdesk brings in
    Action.DECIDE: frozenset({AGENT, POLICY_OWNER}),
    Action.CORRECT: CORRECTING_ROLES,
    Action.CHANGE_SOURCES: frozenset({POLICY_OWNER}),  # keys, policies, conflicts
    Action.CONFIGURE: frozenset({ADMINISTRATOR}),  # who configures neither decides nor corrects
    Action.AUDIT: frozenset({POLICY_OWNER, MANAGER, ADMINISTRATOR}),  # run the audit and record the run
    Action.REPORT: frozenset({POLICY_OWNER, MANAGER, ADMINISTRATOR}),  # bring an archive in, remove a report
}


NEEDS = {
    Scope.DRAFTS: frozenset({Action.BRING_IN}),
    Scope.ASKS: frozenset({Action.BRING_IN}),
    Scope.TICKETS: frozenset({Action.BRING_IN}),
    Scope.POLICIES: frozenset({Action.CHANGE_SOURCES}),
    Scope.DECIDE: frozenset({Action.DECIDE, Action.CORRECT}),
    Scope.READ: frozenset({Action.READ}),
}


def may(user: User | AnonymousUser, action: Action) -> bool:
    """Say whether one of this person's roles allows the action; a disabled person may nothing."""
    return bool(roles_of(user) & ALLOWED[action])


def out_of_reach(user: User | AnonymousUser, scopes: frozenset[Scope]) -> tuple[Scope, ...]:
    """Return the scopes that a token of this person could never use, in the order of their names."""
    return tuple(sorted(scope for scope in scopes if not any(may(user, action) for action in NEEDS[scope])))
