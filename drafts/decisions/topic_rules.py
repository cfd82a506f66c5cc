"""Hard conditions of the default topics: which facets a sentence must have, and which speak for another topic."""

from collections.abc import Mapping
from dataclasses import dataclass

STRONG, FAIR, WEAK = 0.92, 0.82, 0.55


@dataclass(frozen=True, slots=True)
class Rule:
    """A sentence speaks of `topic` with `strength` when it has all of `needs`, one of `any_of` and none of `forbids`.

    Without `told` only sentences that ask something count; with it, reports such as “it has not come” do as well.
    """

    topic: str
    needs: frozenset[str]
    any_of: frozenset[str] = frozenset()
    forbids: frozenset[str] = frozenset()
    strength: float = STRONG
    told: bool = False

    def holds(self, facets: frozenset[str], *, asks: bool) -> bool:
        """Say whether a sentence with these facets fulfils the rule."""
        if not (asks or self.told) or not self.needs <= facets or self.forbids & facets:
            return False
        return not self.any_of or bool(self.any_of & facets)


def _rule(
    topic: str, needs: str, *, any_of: str = "", forbids: str = "", strength: float = STRONG, told: bool = False
) -> Rule:
    return Rule(
        topic=topic,
        needs=frozenset(needs.split()),
        any_of=frozenset(any_of.split()),
        forbids=frozenset(forbids.split()),
        strength=strength,
        told=told,
    )


RULES: tuple[Rule, ...] = (
    _rule("warranty_duration", "warranty span", forbids="vouch refunds"),
    _rule("warranty_duration", "warranty when", forbids="vouch refunds covers arrives", strength=FAIR),
    _rule("warranty_duration", "warranty", any_of="which_warranty years", forbids="vouch refunds covers", strength=0.9),
    _rule("warranty_coverage", "warranty covers", forbids="span vouch"),
    _rule("warranty_coverage", "warranty", forbids="span vouch covers which_warranty years", strength=WEAK),
    _rule("return_window", "returns span", forbids="refunds warranty coming_home exchanges repairs"),
    _rule(
        "return_window", "returns when", forbids="refunds warranty coming_home exchanges repairs span", strength=WEAK
    ),
    _rule(
        "return_eligibility",
        "returns policy",
        forbids="span when refunds exchanges coming_home repairs warranty overdue where how_to",
    ),
    _rule(
        "return_eligibility",
        "returns",
        forbids="span when refunds exchanges coming_home repairs warranty overdue where how_to fee policy",
    ),
    _rule("return_eligibility", "returns how_to", forbids="span when refunds exchanges coming_home", strength=WEAK),
    _rule("refund_timing", "refunds", any_of="when where overdue span", forbids="deposit cancels exchanges", told=True),
    _rule("refund_timing", "money", any_of="when where overdue", forbids="refunds deposit bank_deposit declined pays"),
    _rule("refund_eligibility", "money", forbids="refunds when where overdue deposit bank_deposit pays", strength=WEAK),
    _rule("refund_timing", "refunds cancels", any_of="when where overdue span", forbids="deposit", strength=FAIR),
    _rule("refund_eligibility", "refunds", forbids="when where overdue span deposit cancels returns exchanges"),
    _rule(
        "refund_eligibility",
        "refunds",
        any_of="cancels returns exchanges",
        forbids="when where overdue span deposit",
        strength=FAIR,
    ),
    _rule(
        "repair_turnaround", "exchanges when", forbids="refunds exchange_rate delivers repairs account", strength=0.9
    ),
    _rule(
        "exchange_terms",
        "exchanges",
        forbids="exchange_rate refunds when where overdue own_card repairs account warranty log_in",
        strength=0.88,
    ),
    _rule("cancellation_fee", "cancels", any_of="fee pricey", forbids="charged refunds deposit delivers"),
    _rule("cancellation_fee", "leaves fee", forbids="refunds deposit"),
    _rule("cancellation_fee", "leaves", forbids="fee notice account", strength=WEAK),
    _rule(
        "cancellation_window",
        "cancels bought",
        forbids="fee refunds warranty subscribes account mailing passive_cancel why leaves deposit own_card",
    ),
    _rule(
        "cancellation_window",
        "cancels",
        forbids="fee refunds warranty subscribes account mailing "
        "passive_cancel why leaves deposit bought own_card log_in",
        strength=0.9,
    ),
    _rule("cancellation_window", "cancels subscribes", forbids="fee refunds mailing passive_cancel why", strength=WEAK),
    _rule(
        "order_change",
        "alters order_part",
        forbids="account cancels returns refunds where mind "
        "log_in mailing exchanges exchange_rate repairs appoints fee",
        strength=0.86,
    ),
    _rule(
        "delivery_time", "delivery_facts", forbids="refunds returns cancels fee repairs appoints place alters account"
    ),
    _rule("delivery_time", "where goods", forbids="refunds returns cancels fee repairs account log_in"),
    _rule(
        "delivery_time", "where delivers", forbids="refunds returns cancels fee repairs account log_in", strength=0.88
    ),
    _rule(
        "delivery_time",
        "when arrives",
        forbids="refunds returns cancels fee repairs account "
        "appoints answers deposit warranty declined pays price_life",
        strength=0.9,
    ),
    _rule(
        "delivery_time",
        "soonness arrives",
        any_of="goods delivers goods_any",
        forbids="refunds returns cancels fee repairs account appoints answers deposit alters declined why pays place",
        strength=FAIR,
    ),
    _rule(
        "delivery_time",
        "overdue",
        any_of="goods delivers",
        forbids="refunds returns cancels fee repairs account appoints "
        "answers charged exchanges pays log_in fault alters",
        strength=0.9,
        told=True,
    ),
    _rule(
        "delivery_cost",
        "delivers",
        any_of="fee pricey",
        forbids="cancels refunds charged overdue when where place exchanges",
    ),
    _rule("delivery_cost", "delivers fee", strength=WEAK),
    _rule(
        "delivery_area",
        "place delivers",
        forbids="alters when where overdue refunds returns fee cancels soonness exchanges account pays",
        strength=0.86,
    ),
    _rule(
        "delivery_area",
        "place",
        forbids="alters when where overdue refunds returns fee cancels delivers",
        strength=WEAK,
    ),
    _rule(
        "price_validity",
        "price_life price_terms",
        forbids="refunds returns cancels how_to where overdue charged deposit exchanges declined",
        strength=0.88,
    ),
    _rule("price_validity", "price_life", forbids="refunds how_to", strength=WEAK),
    _rule("deposit_terms", "deposit", forbids="bank_deposit declined where", strength=0.9),
    _rule(
        "payment_terms",
        "pays pay_terms",
        forbids="refunds charged deposit returns declined overdue fee account cancels subscribes",
        strength=0.88,
    ),
    _rule("fees", "charged", forbids="refunds delivers cancels deposit subscribes", strength=0.86),
    _rule(
        "fees",
        "fee",
        forbids="delivers cancels leaves deposit refunds charged returns exchanges price_life buys opens",
        strength=0.6,
    ),
    _rule("fees", "charged fee", forbids="refunds delivers cancels deposit subscribes", strength=0.7, told=True),
    _rule("fees", "exchange_rate", forbids="refunds", strength=0.6),
    _rule("response_sla", "hours", forbids="refunds delivers repairs elsewhere_hours"),
    _rule(
        "response_sla",
        "when answers",
        forbids="refunds delivers repairs goods hours returns",
        strength=0.86,
    ),
    _rule(
        "repair_turnaround",
        "repairs",
        any_of="when span overdue where soonness",
        forbids="warranty refunds fee deposit",
        strength=0.88,
    ),
    _rule(
        "repair_turnaround",
        "takes",
        forbids="delivers goods refunds returns arrives warranty answers account repairs exchanges",
        strength=0.6,
    ),
    _rule("appointment_terms", "check_in", forbids="alters cancels", strength=0.6),
    _rule("appointment_terms", "ahead", forbids="cancels", strength=0.86),
    _rule("appointment_terms", "appoints appoint_rules", forbids="cancels repairs warranty refunds fee", strength=0.84),
    _rule("subscription_renewal", "subscribes renews", forbids="mailing refunds account cancels", strength=0.88),
    _rule("subscription_renewal", "subscribes cancels", forbids="mailing refunds fee", strength=WEAK),
    _rule("account_closure", "account closes", forbids="mailing opens log_in refunds fee why bought"),
    _rule("account_closure", "account closes", any_of="opens fee why", forbids="mailing log_in", strength=WEAK),
    _rule("product_guarantee", "shelf_life", forbids="price_life own_card", strength=0.88),
    _rule(
        "product_guarantee",
        "property own_property",
        forbids="warranty delivers refunds returns account fee place "
        "exchanges cancels pays where when hours appoints log_in",
        strength=FAIR,
    ),
)

# A question of time without an object of its own takes the one that the rest of the message speaks of.
OBJECTS = ("refunds", "money", "exchanges", "repairs", "returns", "goods", "delivers")
# In an if-clause these describe the case, and ask nothing.
CIRCUMSTANCES = frozenset({"overdue", "when", "where", "span", "soonness"})

# Facets of which a commitment may hang even where no rule is sure; a sentence that asks with one of them waits.
COMMITMENT_FACETS = frozenset(
    {
        "warranty", "returns", "refunds", "money", "terms", "quantity",
        "exchanges", "cancels", "leaves", "fee", "charged", "delivers", "goods",
        "price_life", "deposit", "pay_terms", "hours", "repairs", "appoints", "subscribes", "closes",
        "property", "place", "overdue", "span",
        "when",
    }
)  # fmt: skip
# A sentence with all of one of these sets is about a commitment even if it asks for nothing.
TOLD_COMMITMENTS = (frozenset({"promised", "quantity"}), frozenset({"overdue", "span"}))
# Facets of matters that are no commitment, where no rule says otherwise.
OTHER_MATTERS = frozenset({"log_in", "mailing", "human", "buys", "opens", "declined"})


def rule_strengths(facets: frozenset[str], *, asks: bool) -> Mapping[str, float]:
    """Return how strongly each default topic is spoken of; topics without a rule that holds are left out."""
    strengths: dict[str, float] = {}
    for rule in RULES:
        if rule.holds(facets, asks=asks) and rule.strength > strengths.get(rule.topic, 0.0):
            strengths[rule.topic] = rule.strength
    return strengths
