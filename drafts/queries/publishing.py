"""Who may publish a policy version on screen."""

from django.contrib.auth.models import User

from drafts.queries.policy_owners import policy_owners


def others_who_may_publish(prepared_by: str | None, actor: User) -> tuple[str, ...]:
    """Name the policy owners who have to publish instead of this one; none where this one may.

    Nobody approves their own change alone: whoever prepared a version leaves it to another owner while there is one.
    """
    if prepared_by != actor.get_username():
        return ()
    return tuple(owner.get_full_name() or owner.get_username() for owner in policy_owners() if owner.pk != actor.pk)
