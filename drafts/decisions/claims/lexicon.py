"""Closed word classes and the few open ones that need examples. Verbs are open: see `is_participle`."""

import re


def words(text: str) -> frozenset[str]:
    """Return the words of a list written as running text; `_` stands for a space."""
    return frozenset(word.replace("_", " ") for word in text.split())


IRREGULAR_PARTICIPLES = words(
    "been begun bought brought built caught chosen come cut dealt done drawn driven found forgotten given gone got "
    "gotten held "
    "hidden kept known laid led left lent lost made met overridden paid put read rebuilt redone reset resent rung "
    "run said seen "
    "sent set shown shut sold spoken spent split stood sworn taken told thought torn thrown undone undertaken "
    "understood won "
    "withdrawn withheld written rewritten heard felt hit let overseen undergone"
)
IRREGULAR_PASTS = words(
    "began bought brought came chose cut did drew drove found gave got held kept led left lost made met overrode "
    "paid put ran "
    "rang read rebuilt resent reset said saw sent set shut sold spoke spent stood took told threw undid went won "
    "withdrew wrote heard"
)
NOT_PARTICIPLES = words(
    "need indeed speed feed bed red need exceed proceed succeed bleed breed seed hundred embed shed wed agreed-upon"
)
ADVERBS = words(
    "also always again already still just now currently then first first next once even further both all each well "
    "only never "
    "yet today tonight please indeed so too almost often sometimes usually rather simply actually further "
    "together hereby not no longer either instead personally"
)
NOT_ADVERBS = words("reply supply apply rely family assembly only_ fly comply july imply multiply italy ally bully")
NEGATIONS = words("not never no neither nor hardly")
AUXILIARIES = words(
    "will shall am is are was were have has had can could may might would must should ought do does did be been "
    "being 's"
)
US_PRONOUNS = words("i we us")
PEOPLE_PRONOUNS = words("they he she someone somebody everyone")
CASE_PRONOUNS = words("it this that these those everything both which neither all")
NOBODY = words("nobody no-one noone none nothing")
DETERMINERS = words(
    "the a an your our my this that these those its their his her any all each every some most no both another one"
)
QUANTIFIERS = words("all any each every some most many other such certain no")

ROLE_NOUNS = words(
    "agent agents team teams member members representative representatives rep reps specialist specialists "
    "technician technicians "
    "colleague colleagues manager managers supervisor supervisors advisor advisors adviser advisers engineer "
    "engineers driver drivers "
    "courier couriers department desk staff expert experts someone somebody person human officer officers executive "
    "executives crew "
    "support warehouse depot carrier carriers workshop associate associates partner partners analyst analysts "
    "operator assistant "
    "administrator accountant investigator consultant handler owner coordinator squad group office bot people "
    "everyone system systems "
    "manufacturer vendor supplier seller insurer fitter installer plumber electrician mechanic dispatcher operations "
    "finance billing logistics company"
)
CASE_NOUNS = words(
    "order orders refund refunds return returns replacement replacements exchange case cases ticket tickets request "
    "requests claim "
    "claims parcel parcels package packages shipment shipments delivery deliveries item items repair repairs "
    "complaint complaints "
    "account booking bookings reservation reservations appointment appointments visit payment payments invoice "
    "invoices credit "
    "subscription application cancellation modification modifications change changes upgrade update investigation "
    "review issue issues "
    "problem matter enquiry inquiry query queries message messages email e-mail documents document photos photo "
    "feedback claim file status statuses label "
    "pickup pick-up collection voucher coupon discount compensation reimbursement transfer trace certificate "
    "certificates address "
    "details purchase unit units product products part parts money amount balance difference charge charges deposit "
    "fee charger "
    "loan policy_ contract warranty_ registration installation dispatch escalation call callback call-back "
    "confirmation link code "
    "number name tracking answer response reply decision result results report paperwork form_ authorization "
    "authorisation flight flights seat seats "
    "ticket's process steps_ goods quote ones membership profile password swap adjustment correction resolution "
    "completion dispute chargeback "
    "gift card_ method information data export check checks courier_ device_ laptop phone_ room rate booking's "
    "passenger bags bag insurance order's"
)
CUSTOMERS_OWN = words(
    "satisfaction patience understanding concern concerns frustration business bank card_ device phone computer "
    "browser "
    "experience interest loyalty trust time home house safety privacy convenience cooperation experience support_ "
    "needs "
    "confusion disappointment position situation family"
)
POLICY_NOUNS = words(
    "warranty guarantee policy policies plan plans terms coverage cover app battery website site page button setting "
    "settings software "
    "feature features price prices cost costs rates hours law rule rules option options step steps instructions "
    "manual section "
    "store stores shop shops card cards shipping material colour color size model version window period line weather "
    "rain company's "
    "satisfaction priority goal aim mission commitment tool tools resources times faq link_ portal evidence list "
    "deadline deadlines"
)
PERSON_TITLES = words("mr mrs ms dr miss sir madam")

CONTACT_VERBS = words(
    "contact call phone ring email e-mail mail write reply respond notify inform update hear text message ping reach "
    "follow-up "
    "circle revert answer advise alert tell remind keep indicate relay"
)
CONTACT_OBJECTS = words(
    "email e-mail update updates call callback call-back confirmation instructions tracking notification message "
    "reply response "
    "answer text link news sms letter number posted informed touch know details"
)
HELP_VERBS = words(
    "help assist guide support need require ask want wish like love appreciate be know understand explain walk "
    "summarize summarise "
    "outline clarify share describe list recommend suggest depend require happy strive endeavor endeavour value "
    "welcome "
    "hope look-forward mean include contain suggest remember allow enable notice discuss consider use apply vary "
    "differ depend cater benefit exist love thank trust believe think serve cover protect void"
)
LOOKUP_VERBS = words(
    "check look pull retrieve search find access fetch locate investigate verify confirm review examine inspect "
    "transfer connect "
    "see start proceed process correct fix try get dig escalate consult forward read go ask take"
)
WORK_STATES = words(
    "pending open closed complete completed active inactive ready late overdue delayed unassigned unavailable due "
    "unresolved "
    "resolved outstanding ongoing underway live queued paused escalated final void unpaid unable stuck lost missing "
    "en backordered "
    "available_ back waiting awaiting backlogged suspended"
)
DECISIONS = words(
    "approved denied rejected declined refused granted accepted entitled eligible ineligible covered refundable "
    "non-refundable "
    "nonrefundable returnable non-returnable exchangeable disqualified qualified excluded exempt"
)
DECISION_VERBS = words(
    "refund cancel accept approve return exchange replace waive honor honour offer issue process grant compensate "
    "reimburse credit "
    "modify change extend provide ship reverse reinstate remove add cover proceed give reduce deliver repair match "
    "upgrade reship "
    "resend update allow refuse redeem rebook switch initiate arrange"
)
ENTITLEMENTS = words(
    "refund refunds return returns replacement exchange compensation credit discount certificate cancellation order "
    "booking "
    "reservation fee fees charge charges claim upgrade modification change request money item items reimbursement "
    "coverage voucher "
    "payment address price adjustment extension flights flight passenger insurance repair warranty product purchase "
    "difference it this them"
)
ARRIVAL_VERBS = words(
    "arrive reach take appear reflect show come ship leave start begin continue remain stay close follow land clear "
    "hit expire "
    "post drop finish happen go return resume be get have receive open end renew revert process deliver complete"
)


_PARTICIPLE = re.compile(r"[a-z][a-z-]+(?:ed)\Z")


def is_participle(word: str) -> bool:
    """Say whether a word can follow “has been”: any -ed word that is not something else, or an irregular form."""
    return word in IRREGULAR_PARTICIPLES or (bool(_PARTICIPLE.match(word)) and word not in NOT_PARTICIPLES)


def is_past(word: str) -> bool:
    """Say whether a word can be a simple past."""
    return word in IRREGULAR_PASTS or (bool(_PARTICIPLE.match(word)) and word not in NOT_PARTICIPLES)


NOT_PROGRESSIVES = words(
    "during nothing something anything everything morning evening missing outstanding pending ongoing "
    "willing unwilling billing shipping string according regarding concerning including interesting "
    "confusing frustrating disappointing"
)


def is_progressive(word: str) -> bool:
    """Say whether a word can follow “is”: an -ing form that is no noun of thing or time."""
    return word.endswith("ing") and len(word) > 4 and word not in NOT_PROGRESSIVES


_DROPPED_E = words(
    "receiv issu schedul arrang updat mov clos provid mak tak giv hav com reviv charg chang releas replac prepar"
)


def base_of(progressive: str) -> str:
    """Return the base form of an -ing verb: receiving, getting, calling."""
    stem = progressive.removesuffix("ing")
    if stem in _DROPPED_E:
        return f"{stem}e"
    return stem[:-1] if len(stem) > 3 and stem[-1] == stem[-2] and stem[-1] in "tpngm" else stem


def is_adverb(word: str) -> bool:
    """Say whether a word may stand inside a verb group without changing it."""
    return word in ADVERBS or (word.endswith("ly") and word not in NOT_ADVERBS and len(word) > 3)
