"""What a sentence speaks of: named facets, each a pattern over folded text. Topics are told apart by their facets."""

import re
from functools import lru_cache

_PATTERNS: dict[str, str] = {
    "warranty": (
        r"warrant(?:y|ies|ied)|guarantees?|guaranteed|guaranty|"
        r"(?:how long|how many (?:months|years)|un?til when|till when)\b[^,.;?!]{0,40}\b(?:covered|coverage)"
    ),
    "covers": (
        r"cover(?:s|ed|age|ing)?|includ\w+|void\w*|invalidat\w+|under (?:the |my |a )?(?:warranty|guarantee)|"
        r"appl(?:y|ies)|claim|fall under|lose (?:the|my)|exclud\w+"
    ),
    "span": (
        r"how long|how many (?:\w+ )?(?:days?|weeks?|months?|years?|hours?)|how much (?:longer|time)|for how|period|"
        r"duration|time ?(?:limit|frame|line|scale|span)|window|deadline|length of|until when|till when|by when|"
        r"expir\w+|run(?:s)? out|last day|latest (?:date|day)|(?:still|already) (?:in|within|under|inside|valid)|"
        r"too late|in time|lifetime|(?:\d+|one|two|three|five) (?:or|to) (?:a )?(?:\d+|one|two|three|five|ten)|"
        r"term of"
    ),
    "when": (
        r"when(?! (?:a|an|someone|somebody|you)\b)|how (?:long|soon|fast|quick(?:ly)?)|what (?:time|day|date)|"
        r"which day|eta|by (?:when|what)|how (?:much|many) (?:\w+ )?(?:longer|time|days?|weeks?|hours?)|(?:delivery|"
        r"arrival|due|ready|completion|shipping) (?:date|times?|period|day)|expected|estimated|time ?(?:frame|line|"
        r"scale)|period|duration|how far (?:along|is)|until when"
    ),
    "soonness": (
        r"today|tomorrow|tonight|yet|by (?:the )?(?:\w+day|end|weekend|next|then|christmas)|(?:before|"
        r"on) (?:the )?(?:\w+day|weekend|christmas)|in time|this (?:week|morning|afternoon|evening)|next day|"
        r"same day|earl(?:y|ier)|sooner|faster|quick(?:ly|er)|asap|urgent(?:ly)?"
    ),
    "where": (
        r"where(?! (?:can|do|could|should|may|would) (?:i|we)\b)(?:abouts)?|status|track(?:ing)?|locat(?:e|ion)|"
        r"progress|update on|trace|(?:has|have|did|was|is) (?:my|the|a) (?:\w+ )?refund (?:been|processed|sent|"
        r"issued|done|coming|initiated|gone)"
    ),
    "overdue": (
        r"(?:has|have|did|is|was|were|does|do|had) (?:still |yet )?not (?:\w+ ){0,3}?(?:arriv\w*|receiv\w*|"
        r"got(?:ten)?|get|come|came|shipped|deliver\w*|been|reach\w*|show\w*|here|seen|appeared)|(?:still )?(?:not|"
        r"never|nothing|no) (?:\w+ )?(?:received?|arrived|delivered|reached|come|showed|shown|shipped|got|credited)|"
        r"still (?:waiting|no|not|pending|missing)|(?:is|are|running|so|too|very|already|was|were) late|delayed|"
        r"delay|overdue|nowhere|waiting (?:for|on)|meant to be|supposed to|should have (?:been|arrived|come)|"
        r"no sign|pending|(?:package|parcel|order|delivery|it|they|refund) (?:is |are |has gone )?missing|"
        r"missing (?:package|order|parcel|delivery|refund)|yet to|wait(?:ing)? (?:\w+ ){0,3}for|shows? nothing|"
        r"nothing (?:in|on) my"
    ),
    "returns": (
        r"return(?:s|ed|ing|able)?|(?:send|give|bring|take|ship|hand|mail|accept|sending|bringing|"
        r"taking)s? (?:\w+ ){0,3}back"
    ),
    "coming_home": (
        r"return (?:home|from|flight|ticket|trip|journey|to)|round.?trip|depart\w*|"
        r"return(?:ing)? on (?:\w+ ){0,2}\d|return(?:s|ed)? (?:a|my|the|your) (?:call|deposit)|returned to (?:my|"
        r"the) account|(?:call|get|come|write|hear|be|am|pay|paid|money|go|went|log) back"
    ),
    "refunds": (
        r"refund(?:s|ed|ing|able)?|money back|(?:get|want|need|give|have|got|send|pay|"
        r"paid) (?:\w+ )?(?:back )?(?:my|the|our|all my) (?:\w+ )?money(?: back)?|reimburs\w+|(?:paid|pay|"
        r"pays) (?:\w+ ){0,2}back|compensat\w+|money (?:be )?returned|restitution|rebate|money (?:is |be )?back|"
        r"repaid|repayment|store credit|payment back|give back"
    ),
    "quantity": (
        r"(?:\d+|one|two|three|four|five|six|seven|ten|twelve|fourteen|thirty|a|half a)[ -]?(?:\+ ?)?(?:business |"
        r"working )?(?:days?|weeks?|months?|years?|hours?|hrs?|per ?cent)|\d+ ?%|[£$€₹] ?\d+|\d+ ?(?:euros?|pounds?|"
        r"dollars?|rupees|rs)|lifetime"
    ),
    "promised": r"(?:told|said|promised|wrote|quoted|assured|confirmed)",
    "terms": (
        r"polic(?:y|ies)|terms|conditions|rules?|contract|agreement|entitled|eligible|rights?|(?:hold|apply|applies|"
        r"count|valid) (?:for|to)"
    ),
    "money": r"(?:my|the|that|our|some) (?:\w+ )?(?:money|cash|funds)|the amount",
    "exchanges": (
        r"exchang(?:e|es|ed|ing)|swap\w*|replac(?:e|ed|es|ement|ements|ing)|trade.?in|trade it in|(?:different|"
        r"other|another|bigger|smaller|larger|right|correct|new) (?:size|colou?r|model|one|unit) (?:instead|"
        r"in place)|one instead|instead of (?:a |the )?refund|(?:bigger|smaller|larger|different) size"
    ),
    "exchange_rate": r"exchange rate|currenc(?:y|ies)|fiat|foreign exchange|fx",
    "cancels": (
        r"cancel(?:s|led|ed|ling|lation|lations)?|call(?:ing)? (?:\w+ ){0,3}off|(?:stop|withdraw|revoke|abort|undo|"
        r"annul) (?:\w+ )?(?:my |the |this |an? )?(?:\w+ )?(?:order|purchase|booking|reservation|contract|delivery)|"
        r"cooling.off|withdraw from|no longer (?:want|need)|may i withdraw|back out|(?:can not|will not be able to|"
        r"unable to|not able to) (?:make it|come|attend)"
    ),
    "leaves": (
        r"(?:leave|quit|end|exit|terminat\w+|break|get out)\b.{0,30}(?:contract|plan|early|agreement|lease|year is)|"
        r"early (?:termination|exit)|exit fee|leaving early|termination fee"
    ),
    "fee": (
        r"fees?|charg(?:e|es|ed|ing)|costs?|how much(?! (?:longer|time|notice|of|more|in advance))|penalt(?:y|ies)|"
        r"surcharges?|pay (?:anything|extra|for|postage)|postage|billed|lose if|how much do i lose|keep part"
    ),
    "pricey": r"prices?|expensive|rates?|free(?: of charge)?",
    "charged": (
        r"(?:was|were|am|been|being|got|is|are) (?:being )?(?:\w+ )?(?:charged|billed|debited)|(?:charge|fee|"
        r"payment|debit|transaction)s? (?:\w+ ){0,3}(?:on|in) my|why (?:\w+ ){0,4}(?:fee|charg\w+|pay)|"
        r"hidden (?:costs?|fees?)|extra (?:charge|fee|euro|pound|dollar)s?|unknown (?:charge|payment)|overcharged|"
        r"(?:do not|not) recogni[sz]e"
    ),
    "bought": (
        r"orders?|ordered|purchases?|purchased|booking|bookings|reservations?|tickets?|flights?|trip|hotel|rooms?|"
        r"course|event|appointment|items?|product|table|lunch|dinner|concert|slot|delivery|contract|bought"
    ),
    "alters": (
        r"chang(?:e|es|ed|ing)|modif\w+|updat(?:e|ing)|edit(?:ing)?|amend\w*|alter\w*|correct(?:ed|ing)?|"
        r"add(?:ing)?|remov(?:e|ing)|mov(?:e|ing|ed)|postpon\w+|reschedul\w+|redirect|sent to .{0,20}instead|"
        r"typed the wrong|swap"
    ),
    "order_part": (
        r"(?:delivery|shipping|drop.?off|check.?in|check.?out|arrival) (?:address|date|time|slot|day)|(?:my|the|an?|"
        r"this|of|to|in|on|from) (?:\w+ )?(?:order|booking|reservation|trip|flight|purchase|parcel)|before it ships|"
        r"travel date|to my order|the order|address|quantity|guests"
    ),
    "goods": (
        r"orders?|packages?|parcels?|deliver(?:y|ies)|shipments?|items?|products?|courier|goods|purchases?|(?:my|"
        r"the|new) card"
    ),
    "goods_any": r"(?:is|are|was|has|have|did|will|when|where) (?:my|the|our|this|that|it|they)(?: \w+)?",
    "delivery_facts": (
        r"(?:delivery|shipping|arrival|dispatch) (?:times?|period|dates?|estimates?|status|duration|schedule|days?|"
        r"progress)|(?:order|package|parcel|shipment|delivery|shipping|tracking) (?:status|tracking|eta|number not)|"
        r"(?:status|whereabouts|location|eta|progress) (?:of|on|for|about) (?:\w+ ){0,2}(?:order|package|parcel|"
        r"shipment|delivery|purchase)|(?:track|trace|locate|find) (?:\w+ ){0,2}(?:order|package|parcel|shipment|"
        r"delivery|purchase)|(?:next|same) day delivery|why .{0,30}(?:late|delayed)|delivery (?:today|tomorrow)|"
        r"when (?:do|does|will|would|is) (?:\w+ ){1,4}(?:ship|shipped|shipping|dispatch|dispatched|deliver|"
        r"delivered|arrive|arriving|delivery)"
    ),
    "vouch": (
        r"(?:can|you|could|will|a|any|need|want|no|to) guarantee (?:that|it|its|it's|this|i|we|he|they|delivery|my|"
        r"the (?:order|delivery|refund|parcel))|guarantee(?:d)? (?:delivery|refund)"
    ),
    "how_to": (
        r"how (?:do|can|could|would|should|does|might) (?:i|we|one|you)|how to|where (?:do|can|could|should) i|"
        r"what (?:steps|do i (?:need|have) to do)|show me how|instructions|guide me|the process (?:of|for|to)|"
        r"steps (?:to|for)"
    ),
    "why": r"why|who|what (?:happened|for)|how come|reason",
    "passive_cancel": (
        r"(?:was|been|got|get|is|are|were|being|it) (?:\w+ ){0,2}cancel(?:l?ed)|you (?:have |just )?cancell?ed|"
        r"they cancell?ed"
    ),
    "takes": r"how long (?:\w+ ){0,8}(?:take|takes|last|lasts)|how much (?:\w+ ){0,5}last",
    "check_in": (
        r"(?:time|when|latest|earliest|late|early|hour)\b.{0,30}\bcheck.?(?:in|out)|check.?(?:in|out) (?:time|start|"
        r"finish|end)"
    ),
    "ahead": r"(?:in advance|ahead|beforehand)\b.{0,40}\bbook|book\w*\b.{0,40}\b(?:in advance|ahead|beforehand)",
    "which_warranty": (
        r"what (?:kind of |type of |sort of )?(?:warranty|guarantee) (?:do|does|is|are|comes|will|would|have)"
    ),
    "years": r"(?:one|two|three|five|ten|\d+)[ -]?(?:years?|months?|or)|length",
    "shelf_life": r"expir\w+ (?:date|day)|shelf life|best before",
    "elsewhere_hours": r"(?:hours|open|close) (?:of|for|at) the (?!support|service|help|call|customer)",
    "mind": r"chang(?:e|ed) (?:my|your|her|his|our) mind|for a change|any change",
    "own_card": (
        r"(?:bank|credit|debit|new|my|the|physical|virtual|lost|stolen|sim) cards?|password|pin|batter(?:y|ies)"
    ),
    "declined": r"declin\w+|reject\w+|fail\w*|did not go through|error|stuck|unsuccessful",
    "hours": (
        r"(?:opening|business|office|working|support|service|contact|phone) (?:hours|times)|"
        r"what (?:are your )?hours|open (?:on|at|until|today|now|late)|what time (?:do|are) you|(?:call ?cent(?:er|"
        r"re)|support|helpline|hotline)\b.{0,20}\b(?:working|open|available|close)|(?:call ?back|get back to (?:me|"
        r"us)|response time|reply time|time to respond)|available (?:at|on) (?:weekend|sunday|saturday|night)s?|"
        r"until what time"
    ),
    "delivers": (
        r"deliver\w*|ship(?:s|ped|ping|ment|ments)?|dispatch\w*|courier|arriv\w+|postage|parcels?|packages?|driver|"
        r"express|tracking"
    ),
    "arrives": (
        r"arriv\w+|deliver(?:y|ed|ies)?|ship(?:s|ped|ping|ment)?|dispatch\w*|get here|be here|reach(?:ed|es)?|come|"
        r"coming|get it|receiv\w+|here|sent(?: out)?|get my|get the|transit|on (?:its|the) way"
    ),
    "place": (
        r"(?:deliver(?:y|ies)?|ship(?:ping|ped)?|send|sent|serve|mail|post)(?: (?:it|them|this|items?|products?|"
        r"orders?|goods|available|be|out|possible))* (?:in |to |into |outside |within |at )(?!me\b|my (?:money|bank|"
        r"card|account)|your|do|be|arrive|take|the (?:wrong|right)|get|see|find|track)\w+|international(?:ly)?|"
        r"abroad|overseas|worldwide|countr(?:y|ies)|my (?:area|region|city|town|postcode|country|location|village)|"
        r"postcode|zip code|po box|which (?:areas?|cit(?:y|ies)|places|regions|states)|regions?|delivery area|serve|"
        r"island|villages?|order(?:ing)? (?:from|in|to) (?!you|your|the|this|here|a|an|my|bulk|advance|person|store|"
        r"order)\w+"
    ),
    "price_life": (
        r"price.?match\w*|match (?:\w+ )?prices?|beat (?:that|it|any)|quote|quotation|(?:the|this|that|your|an?|"
        r"special|spring|summer|winter|\w+day) offers?|offers? (?:valid|ends?|expires?|runs?|still)|coupons?|"
        r"vouchers?|promo(?:tion|tional|s)?(?: code)?|discounts?|(?:the|this|that|\w+day) deals?|gift (?:card|"
        r"voucher)s?|per ?cent off|% off|cheaper|honou?r the price|same price|price (?:be )?(?:the same|from last|"
        r"you offered|guarantee)|on sale|black friday|price drop"
    ),
    "price_terms": (
        r"valid\w*|expir\w+|appl(?:y|ies)|(?:can|may|could|able to|possible to) (?:i |we )?(?:\w+ )?use|combin\w+|"
        r"honou?r|match\w*|beat|hold|still (?:on|valid|there|available|apply|running)|until|how long|same|together|"
        r"available|get a|offer|is there|are there|work|ends?"
    ),
    "deposit": r"deposits?|down ?payment|security payment",
    "bank_deposit": (
        r"(?:cash|cheque|check|direct|mobile) deposits?|deposit(?:ed)? (?:a |my |the |some )?(?:cash|cheque|check|"
        r"money|salary)|deposits? (?:in|into|to) my"
    ),
    "pays": (
        r"payments?|pay(?:ing|able)?|paid|instal?lments?|invoices?|bills?|financ\w+|credit|paypal|apple pay|"
        r"google pay|klarna|visa|mastercard|amex|american express|cash|cheques?|bank transfer|debit|afterpay|emi|"
        r"cod|top ?up"
    ),
    "pay_terms": (
        r"(?:payment|pay|paying) (?:methods?|options?|modalit\w+|types?|plans?|terms?|ways?|possibilit\w+|systems?)|"
        r"(?:methods?|options?|modalit\w+|ways?|forms?|types?|means) (?:of|to|for) pay\w*|accept\w*|"
        r"take (?:american|visa|mastercard|amex|paypal|cards?|cash|cheques?)|instal?lments?|financ\w+|emi|(?:pay|"
        r"paid) (?:\w+ ){0,3}(?:by|with|in|via|using|cash|later|monthly|half|on delivery|at the end)|due|"
        r"pay (?:the )?bill|split (?:the|my) (?:bill|payment)|apple pay|google pay|pay late|klarna|afterpay|cod|"
        r"which (?:\w+ ){0,4}cards|(?:use|with) (?:a|an|my) \w+ (?:\w+ )?card|(?:in|by|with|via) (?:\w+ )?(?:emi|"
        r"cod)"
    ),
    "answers": (
        r"get(?:ting)? back (?:to|with)|hear back|(?:call|ring|phone|write|come) (?:\w+ )?back|repl(?:y|ies|ied)|"
        r"respon[ds]\w*|answer(?:s|ed|ing)?|call ?back|opening hours|business hours|office hours|open(?:ing)?|"
        r"agent calls?|contact(?:ed)? me|(?:complaint|ticket|case|issue|problem|request) (?:\w+ )?(?:be |been |"
        r"get )?(?:resolved|dealt|solved|handled|fixed|closed|processed)|(?:sort|resolve|solve)(?:d)? (?:this|it|my|"
        r"the)|available|hear from|let me know|update me|working hours|react|support (?:hours|times?)"
    ),
    "repairs": (
        r"repair(?:s|ed|ing)?|fix(?:ed|es|ing)?|mend\w*|turnaround|workshop|(?:boiler|car|annual|bike) service|"
        r"service (?:of|take)|screen replacement|spare part|working again|back (?:up|online|working)|restored?|"
        r"collect (?:my|the)|is my \w+ (?:ready|repaired)|you have had my"
    ),
    "appoints": (
        r"appointments?|technicians?|engineers?|plumbers?|visit(?:s)?|slots?|no.?show|walk in|time slot|"
        r"installation|fitting|come out|viewing|inspection|house call|consultation"
    ),
    "appoint_rules": (
        r"reschedul\w+|miss(?:ed)?|mov(?:e|ing)|chang\w+|book(?:ing|ed)?|advance|ahead|late|no.?show|earlier|later|"
        r"possible|available|need an?|did not (?:come|show|turn)|schedul\w+|arrang\w+|make an|time|come out|"
        r"did not come|never came|what now"
    ),
    "subscribes": (
        r"subscriptions?|subscrib\w+|member(?:s|ship|ships)?|(?:free |paid )?trials?|auto.?renew\w*|renew(?:s|al|"
        r"als|ed|ing)?|plan|rolling contract|minimum term|notice (?:period|do|must|needed|required)|how much notice|"
        r"contract (?:length|term|end|duration)|prime"
    ),
    "renews": (
        r"renew\w*|automatic\w*|notice|trial|minimum|extend\w*|pause|downgrade|upgrade|next (?:billing|payment|"
        r"renewal)|rolling|end(?:s)?|term|roll over|cancel\w*|stop|quit|unsubscribe"
    ),
    "account": (
        r"accounts?|profile|personal (?:data|information|details)|my (?:data|details|information)|membership account"
    ),
    "closes": (
        r"clos(?:e|es|ed|ing|ure)|delet(?:e|ed|ing|ion)|deactivat\w+|terminat\w+|remov\w+|eras\w+|"
        r"shut (?:\w+ ){0,3}down|get rid|leave|cancel\w*|disable|unregister|opt out|keep my|store my"
    ),
    "property": (
        r"genuine|authentic\w*|original|fakes?|counterfeit|real(?: \w+)?|compatib\w+|work(?:s)? (?:with|on|in|for)|"
        r"fits?|suitable|safe|contain\w*|ingredients?|allerg\w+|gluten|vegan|organic|waterproof|certified|tested|"
        r"nuts|material|made (?:of|from|in)|quality|brand new|refurbished|induction|expir\w+ date|shelf life|"
        r"durable|support(?:s)? \w+|legit|halal|capacity|rely on|free from|sealed"
    ),
    "own_property": (r"(?:is|are|does|do|will|would|can|could|was|were) (?:the|this|that|these|those|it|they|your) ?"),
    "log_in": (
        r"log ?in|sign ?(?:in|up)|password|pin|passcode|username|log on|verification code|two factor|register|"
        r"registration"
    ),
    "mailing": r"newsletters?|emails?|mailing list|notifications?|spam|marketing",
    "human": (
        r"(?:talk|speak|speaking|talking|chat|connect|transfer|put)(?: \w+)? (?:to|with|through) (?:a |an |your |"
        r"the |some|real)?\w*|human|live (?:agent|person)|representative|operator|supervisor|manager"
    ),
    "buys": (
        r"(?:want|like|need|wanna|going|help|how|love|looking|wish|try|trying) (?:me )?(?:to )?(?:buy|order|"
        r"purchase|place|acquire|book|reserve|shop|get (?:a|some)|earn)\b|place an order|book me|"
        r"make a (?:reservation|booking)"
    ),
    "opens": (
        r"(?:open|create|set up|make|activate|switch|use|change|edit|update|recover|new|another|second|"
        r"wrong) (?:\w+ ){0,3}(?:account|profile)|account (?:type|details|balance|number)"
    ),
    "fault": (
        r"broken|damaged|defective|faulty|not working|does not work|stopped working|wrong (?:item|product|one|size|"
        r"colou?r|order)|cracked|leak\w*|stain\w*|torn|empty|missing"
    ),
    "policy": (
        r"polic(?:y|ies)|terms|conditions|rules|cases? can|eligib\w+|entitled|qualif\w+|allowed|possible|able|may i|"
        r"can i|can we|could i|accept\w*|do you (?:do|take|accept|offer|allow)|would you|will you"
    ),
    "past_act": (
        r"(?:i|we) (?:have |had |already |just |did )*(?:cancell?ed|returned|ordered|paid|bought|sent|exchanged|"
        r"booked|purchased|placed|called|wrote|requested|asked)"
    ),
}
_FACETS: dict[str, re.Pattern[str]] = {name: re.compile(rf"\b(?:{pattern})\b") for name, pattern in _PATTERNS.items()}


@lru_cache(maxsize=1024)
def facets_of(folded: str) -> frozenset[str]:
    """Return the names of all facets that stand in one folded sentence."""
    return frozenset(name for name, pattern in _FACETS.items() if pattern.search(folded))
