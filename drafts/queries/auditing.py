"""The audit, with what the ledger cannot see of it: repeats that were answered without the locked text."""

from collections.abc import Iterator
from dataclasses import asdict, dataclass

from drafts.decisions.comparison import answer_in_thread, contains_verbatim
from drafts.models import Decision, Message
from ledger import queries as ledger
from ledger.decisions.vocabulary import REPLAY_BRANCHES
from ledger.queries import AuditCheck


@dataclass(frozen=True, slots=True)
class FreshAnswer:
    """One repeat answered without the locked text: a decided reply, or one posted outside the desk."""

    conversation_id: str
    question_key: str
    text: str
    said_by: str


def audit() -> tuple[AuditCheck, ...]:
    """Run the five checks of rule 3.8; what the ledger cannot see of check 3 comes from the replies."""
    return ledger.audit({3: [asdict(each) for each in fresh_answers()]})


def fresh_answers() -> tuple[FreshAnswer, ...]:
    """Return the repeats answered from fresh retrieval (audit check 3)."""
    return (*_decided_without_replay(), *_posted_outside())


def _decided_without_replay() -> Iterator[FreshAnswer]:
    unreplayed = Decision.objects.filter(
        branch__in=REPLAY_BRANCHES, kind__in=("approve", "edit"), entry_ids=[], withdrawn_at=None
    )
    for decision in unreplayed.select_related("item__conversation", "decided_by").order_by("decided_at"):
        yield FreshAnswer(
            decision.item.conversation.external_id,
            decision.root_key or "",
            decision.text,
            decision.decided_by.get_username(),
        )


def _posted_outside() -> Iterator[FreshAnswer]:
    """Hold each agent message from outside the desk against the answers its customer had been given."""
    told = ledger.recorded_texts_by_key()
    outside = Message.objects.filter(role="agent", through_desk=False, conversation__external_id__in=list(told))
    for message in outside.select_related("conversation").order_by("conversation_id", "ordinal"):
        conversation = message.conversation.external_id
        for key, texts in told[conversation].items():
            if any(contains_verbatim(message.text, text) for text in texts):
                continue
            if answer_in_thread(message.text, texts[-1]) is not None:
                yield FreshAnswer(conversation, key, message.text, "outside the desk")
