"""The registry that an installation starts with: 23 commitment topics, each with one scope, to be curated further."""

from ledger.decisions.phrasings import PHRASINGS
from ledger.decisions.vocabulary import CommitmentClass, KeyEntry

DEFAULT_SCOPE = "general"

_BINDING, _ESTIMATE = CommitmentClass.BINDING_POLICY, CommitmentClass.ESTIMATE
# Only facts that decide in every shop; the date that selects a version is declared by each document.
_QUESTIONS: dict[str, tuple[str, CommitmentClass, tuple[str, ...]]] = {
    "warranty_duration": ("How long is the warranty?", _BINDING, ()),
    "warranty_coverage": ("What does the warranty cover, and what ends it?", _BINDING, ()),
    "return_window": ("How long after receipt can an item be returned?", _BINDING, ("received_on",)),
    "return_eligibility": ("Which items can be returned, and in what condition?", _BINDING, ("received_on",)),
    "refund_eligibility": ("When is money paid back?", _BINDING, ()),
    "refund_timing": ("How long does a refund take to arrive?", _ESTIMATE, ()),
    "exchange_terms": ("On what terms is an item exchanged or replaced?", _BINDING, ("received_on",)),
    "cancellation_window": ("Until when can an order or booking be cancelled?", _BINDING, ("ordered_on",)),
    "cancellation_fee": ("What does it cost to cancel or to leave early?", _BINDING, ("ordered_on",)),
    "order_change": ("Until when, and on what terms, can an order or booking be changed?", _BINDING, ()),
    "delivery_time": ("How long does delivery take?", _ESTIMATE, ()),
    "delivery_cost": ("What does delivery cost?", _BINDING, ()),
    "delivery_area": ("Which places are delivered to or served?", _BINDING, ()),
    "price_validity": ("How long is a price, quote or offer valid?", _BINDING, ()),
    "fees": ("Which fee applies to a service?", _BINDING, ()),
    "deposit_terms": ("How much is the deposit, and when is it returned?", _BINDING, ()),
    "payment_terms": ("Which ways and dates of payment are accepted?", _BINDING, ()),
    "response_sla": ("How soon is a customer answered?", _ESTIMATE, ()),
    "repair_turnaround": ("How long does a repair take?", _ESTIMATE, ()),
    "appointment_terms": ("What are the rules for appointments and visits?", _BINDING, ()),
    "subscription_renewal": ("When does a subscription renew, and how is it ended?", _BINDING, ()),
    "account_closure": ("How is an account closed, and what happens to data and balance?", _BINDING, ()),
    "product_guarantee": ("Which properties of a product are promised?", _BINDING, ()),
}


def default_registry() -> dict[str, KeyEntry]:
    """Return a new registry of the default keys by key, `topic::general` for each topic."""
    return {entry.key: entry for entry in map(_entry, _QUESTIONS)}


def _entry(topic: str) -> KeyEntry:
    question, commitment_class, facts = _QUESTIONS[topic]
    return KeyEntry(
        key=f"{topic}::{DEFAULT_SCOPE}",
        question_canonical=question,
        commitment_class=commitment_class,
        deciding_facts=facts,
        examples=PHRASINGS[topic],
    )
