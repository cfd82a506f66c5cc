"""Small words that tell languages apart, for `languages.py`. A word that is also English stands in no other list."""


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


ENGLISH = _words(
    """
        a about above after again all also am an and any are as at back be been before being below between but
        by can can't cannot could day days did do does doing don't done down during each every few first for
        from further get give go had has have having he hello help her here hi his how however i i'd i'll i'm
        i've if in into is isn't it it's its just know last let like me more most my need new no not now of
        off on once one only or other our out over own please see send she should so some soon sorry still
        such take than thank thanks that that's the their them then there these they this those through time
        to today too two under until up us use very want was we we'll we're we've week were what when where
        which while who why will with within without won't work would yes yet you you'll you're you've your
        yours
        """
)
# English words that other languages borrow in a shop's replies.
BORROWED = _words("order orders refund item items delivery account team number question return email chat")

# Articles, prepositions and particles: they stand in names and addresses too, so they never count alone.
WEAK: dict[str, frozenset[str]] = {
    "German": _words("der das den dem des ein eine einen einem von vom zum zur im bei mit und für auf aus"),
    "French": _words("le la les du des de un une et à au aux en sur pour par chez dans d'un d'une"),
    "Spanish": _words("el la los las del de un una y en por para con al"),
    "Italian": _words("il lo la gli le del della dei di da e un una al alla per con nel nella"),
    "Portuguese": _words("o os as da das dos de e um uma em no na nos nas ao para com por"),
    "Dutch": _words("het een van de den der ter en op bij met voor naar uit aan te"),
    "Polish": _words("w z na do od i o po przez dla ze we"),
    "Turkish": _words("ve bir ile için de da"),
    "Swedish, Danish or Norwegian": _words("en ett och og i på med til till av af fra från"),
    "Romanian": _words("și si un o la de cu pe din"),
    "Czech or Slovak": _words("a v na do od z se s o po pro"),
    "Hungarian": _words("a az és egy"),
    "Indonesian or Malay": _words("dan di ke dari untuk dengan"),
    "Hindi in Latin letters": _words("ka ki ke ko mein se aur"),
    "Vietnamese": _words("và của cho với ở"),
    "Finnish": _words("ja"),
}

# Verbs, pronouns, negations and the words of a support reply: these do not stand in an address.
STRONG: dict[str, frozenset[str]] = {
    "German": _words(
        """
        ich wir sie ihr ihre ihren ihrem ihrer ihnen uns unser unsere unserem unseren euch dich dir dein deine
        mein meine ist sind war waren wird werden wurde wurden haben hat hatte kann können könnten nicht kein
        keine keinen auch noch aber wenn dass weil oder bitte innerhalb sofort heute morgen tage tagen
        werktage werktagen wochen stunden bestellung erstattung rückerstattung erstatten lieferung sendung
        paket rechnung anfrage geprüft erhalten schon bereits sobald leider gerne melden kümmern betrag zurück
        unterwegs
        """
    ),
    "French": _words(
        """
        je nous vous il elle ils votre vos notre nos mon ma mes est sont sera seront été avons avez ont avoir
        être pas ne n'est c'est j'ai qui que quoi avec cette ces dès bientôt demain aujourd'hui jours semaines
        heures remboursement remboursé remboursée rembourser commande livraison colis envoyé expédié veuillez
        merci recevrez traitement demande délai déjà encore aussi mais donc ouvrables équipe
        """
    ),
    "Spanish": _words(
        """
        su sus nuestro nuestra nosotros usted ustedes yo tu mi es son está están será serán hemos han ha sido
        fue estamos tiene tendrá puede podemos no que qué como más muy pero porque cuando mañana hoy días
        semanas horas hábiles reembolso reembolsado pedido envío paquete devolución enviado procesado recibirá
        gracias ya aún solicitud dinero equipo dentro lo le se
        """
    )
    - {"no"},
    "Italian": _words(
        """
        noi voi lei suo sua suoi nostro nostra vostro vostra io mio è sono sarà saranno abbiamo hanno stato
        stata siamo può non che come più molto ma perché quando domani oggi giorni settimane lavorativi
        rimborso rimborsato ordine spedizione consegna pacco riceverà grazie già ancora richiesta entro
        elaborazione verrà
        """
    ),
    "Portuguese": _words(
        """
        seu sua seus suas nosso nossa nós você vocês eu meu minha é são está estão será serão foi foram temos
        tem pode não que mais muito mas porque quando amanhã hoje dias semanas úteis reembolso pedido entrega
        encomenda devolução enviado processado receberá obrigado obrigada já ainda solicitação dinheiro equipe
        """
    ),
    "Dutch": _words(
        """
        wij we je jij jouw uw u ik mijn ons onze is zijn wordt worden werd hebben heeft kan kunnen niet geen
        ook nog maar omdat zodra vandaag morgen dagen weken werkdagen uur terugbetaling bestelling levering
        pakket verzonden ontvangt ontvangen bedankt alstublieft reeds binnen aanvraag geld krijgt zullen
        """
    )
    - {"we", "is"},
    "Polish": _words(
        """
        jest są był była będzie będą nie tak się pan pani pana twoje twój twoja nasz nasze mamy został została
        zostanie zwrot zamówienie zamówienia przesyłka paczka dni roboczych jutro dzisiaj dziś pieniądze
        dziękujemy proszę już jeszcze że który gdy wkrótce ciągu otrzyma
        """
    ),
    "Turkish": _words(
        """
        siz biz ben sizin bizim değil var yok olarak olacak edilecek edildi gün içinde yarın bugün sipariş
        siparişiniz iade iadeniz para teşekkürler lütfen çok daha kargo ödeme ödemeniz
        """
    ),
    "Swedish, Danish or Norwegian": _words(
        """
        vi du ni jag jeg din ditt ditt deres är er har blir kommer inte ikke også men idag imorgon morgen
        dagar dager dage återbetalning tilbagebetaling refusjon beställning bestilling ordre leverans levering
        tack takk tak inom innen inden det att som
        """
    )
    - {"men", "er"},
    "Romanian": _words(
        """
        este sunt vom va veți noi dumneavoastră nu că care mai zile lucrătoare mâine astăzi comanda rambursare
        rambursarea mulțumim livrarea banii
        """
    ),
    "Czech or Slovak": _words(
        """
        je jsou byl byla bude budou není vás vám vaše váš naše jsme dnů dní zítra dnes objednávka objednávku
        vrácení peníze děkujeme prosím zásilka
        """
    ),
    "Hungarian": _words(
        """
        hogy nem van lesz volt ön önt önnek kérjük köszönjük rendelés rendelését visszatérítés holnap ma napon
        belül munkanapon már csak meg
        """
    ),
    "Indonesian or Malay": _words(
        """
        anda kami saya akan tidak sudah telah yang ini itu dalam hari pesanan pengembalian dana besok terima
        kasih dikirim diproses silakan mohon kerja adalah
        """
    )
    - {"dana"},
    "Hindi in Latin letters": _words(
        """
        hai hain hoga hogi honge nahi nahin aap aapka aapki aapke hum humari hamari mera meri kya kab kar
        karenge karke raha rahi rahe gaya gayi diya jayega jayegi milega paisa paise kripya dhanyavaad bhi
        abhi yeh woh
        """
    ),
    "Vietnamese": _words(
        """
        chúng tôi bạn không đã sẽ được đơn hàng ngày tiền hoàn cảm ơn trong quý khách
        """
    ),
    "Finnish": _words(
        """
        on ei ole olemme sinun teidän meidän tilaus tilauksesi hyvitys palautus päivää huomenna tänään kiitos
        sekä että maksetaan arkipäivän kuluessa
        """
    )
    - {"on"},
}

# Words of other scripts that carry a sentence rather than a name.
OTHER_SCRIPTS: dict[str, frozenset[str]] = {
    "ARABIC": _words(
        "من في على إلى تم سيتم سوف هذا هذه لقد أن عن مع لا لم قد غدا غدًا خلال لك كل است را به از می شما ما"
    ),
    "HEBREW": _words("את של על לא אנחנו נחזיר תוך היום מחר לך הוא זה עם כי ההזמנה שלך ימים החזר"),
    "DEVANAGARI": _words("है हैं के का की को में से आपका आपकी आपके हम और कर नहीं ने गया होगा दिन"),
}
