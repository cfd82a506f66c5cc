"""Phrasings about bought goods: warranty, return, refund, exchange, order, delivery. One customer voice a line."""

from ledger.decisions.phrasings.lines import lines

PURCHASES: dict[str, tuple[str, ...]] = {
    "warranty_duration": lines("""
        How long is the warranty on this dishwasher?
        how many months guarantee do i get
        What is the warranty period for the new battery?
        until when am I covered by the guarantee
        Is it a one year or a two year warranty?
        When does the warrenty on my boiler run out?
        Plainly: for how long is the repair guaranteed?
        does the guarantee start from delivery or from the purchase date, and how long does it last
        My drill is 14 months old, am I still within warranty?
        whats the guarantee length on parts you fitted
        Could you tell me the duration of the warranty for the compressor?
        what warranty do I get with it
        has my warranty expired already
        lifetime warranty or just a few years?
        How long do you guarantee your work for
        is the washing machine still under guarantee, I bought it in spring last year
    """),
    "warranty_coverage": lines("""
        What does the warranty actually cover?
        is a cracked screen covered by the guarantee
        Does the warranty include labour or only parts?
        If I open the case myself, does that void the warranty?
        would water damage fall under the warranty
        Are the blades covered or do they count as wear and tear?
        will using third party ink cancel my guarantee
        my zip broke after two months, is that something the guarantee pays for
        does the warranty still apply if I sell the bike to my brother
        Is accidental damage included in the cover?
        battery wont hold charge, warranty claim possible?
        Do I have to pay for the engineer or is that under warranty?
        what isn't covered under the guarantee
        do i lose my waranty when another shop repairs it
    """),
    "return_window": lines("""
        How many days do I have to return the shoes?
        until when can i send it back
        What's the time limit for returns?
        Is there a deadline for sending back the lamp
        Am I still in time to return something I got three weeks ago?
        I received it on the 2nd, is it too late to bring it back
        how long is your return period
        Am I still inside the return window?
        when is the last day I can return my jacket
        do I have 14 or 30 days for a return
        the parcel came during my holiday, can I still return it now after five weeks?
        Does the return period start when I order or when it arrives?
        whats the window for returns on christmas presents
        by what date must the kettle be back with you
        retrun deadline pls
    """),
    "return_eligibility": lines("""
        Can I return a mattress that I have slept on?
        do you take back opened boxes
        I wore the dress once, will you still accept it back?
        Are sale items returnable?
        can i send it back without the receipt
        I bought it in another branch, may I return it here?
        is it possible to return part of the order
        i don't want it anymore, can I give it back
        Would you accept a return if the packaging is missing?
        What is your return policy?
        can personalised gifts be returned
        I'd like to return this blender, it is used but works
        is underwear excluded from returns
        do you accept returns of food
        I want to send back a jumper that doesnt fit
        May I return a game after opening the seal?
    """),
    "refund_eligibility": lines("""
        Can I get a refund for this?
        I want my money back
        am i entitled to compensation for the late train
        Will you refund the shipping too if I send it back?
        The item arrived broken, do I get my money back?
        what is the refund policy
        I demand a full refund right now
        would it be possible to be reimbursed for the night we did not use
        Do you pay compensation when a delivery fails?
        Can I have cash instead of a gift card for the refund?
        is this purchase refundable
        I was billed twice and expect the second payment back
        Are there any conditions under which I would not be refunded?
        will I get store credit or money
        please refund me for the cancelled concert
        i need a refund for the broken headphones
        how much of the price would you give back
        could you reimburse me for the taxi
        Who pays me back for the ruined food in the freezer?
        seeking a refund of my last payment
    """),
    "refund_timing": lines("""
        When will I get my refund?
        where is my refund??
        How long until the money is back on my card?
        its been ten days and still no refund
        how many business days does a reimbursement take
        Has my refund been sent yet?
        what's the status of my refund
        You said the refund was issued but my bank shows nothing
        When can I expect to see the money returned to my account?
        i still havent received my money back
        Could you check how far along my refund is?
        refund not recieved
        by what date will I be reimbursed
        How soon do refunds show up on PayPal?
        I sent the coat back a fortnight ago, when do I get paid back?
        want to track my refund
    """),
    "exchange_terms": lines("""
        Can I swap these for a bigger size?
        I'd like to exchange the blue one for a red one
        Do you do exchanges?
        wrong colour, can you send the black one instead
        Could I get a replacement rather than a refund?
        how does swapping the model work and do I pay the difference
        can i change the trousers to a size 12
        The toaster is faulty, will you replace it?
        is an exchange free of charge
        what's your exchange policy
        i want a new one in place of the broken one
        May I trade it in for the newer model?
        are replacement items sent out before you get the old one
        Would you exchange a present without a receipt?
        want to replace the faulty charger with a working one
    """),
    "order_change": lines("""
        Can I still change the delivery address on my order?
        i want to add one more shirt to my order
        Is it possible to remove an item before it ships?
        Could you move my booking to Saturday?
        I typed the wrong street, can the address be corrected
        may I change the size in my order, it hasn't shipped
        i need to modify my order
        Please change the name on the booking
        until when can I alter the order
        Do you charge for changing the travel date?
        swap one product in my order that was placed an hour ago
        i would like to edit my purchase
        can we have two more guests on the reservation
        have my parcel sent to my office instead
        change the quantity from 2 to 3 please
    """),
    "delivery_time": lines("""
        When will my order arrive?
        Where is my package?
        how long does shipping take
        my parcel was meant to be here yesterday
        What's the estimated delivery date for the sofa?
        Has my order been shipped yet?
        i still haven't received my order
        Will it be here before Friday?
        how many days for delivery to Leeds
        tracking has not moved for a week, where is it
        When do you dispatch?
        can you tell me when the courier comes
        how soon could you get it to me
        order status please
        do you offer next day delivery
        it says delivered but nothing has come
        What time will the driver be here
        I want to know the whereabouts of my shipment
        is my dlivery coming today
        How much longer until the bed gets here?
    """),
    "delivery_cost": lines("""
        How much is shipping?
        what do you charge for delivery
        Is delivery free above a certain amount?
        how much would it cost to send it express
        do i pay postage
        From what order value is shipping free?
        What are the delivery charges for a wardrobe?
        is there a surcharge for delivering to the third floor
        why is the shipping so expensive
        free shipping or not
        whats the price of next day delivery
        Do you charge shipping for returns?
        postage costs to Ireland?
        do members get free delivery
    """),
    "delivery_area": lines("""
        Do you deliver to Iceland?
        can you ship to a PO box
        Is my postcode inside your delivery area?
        do you ship internationally
        Which countries do you send to?
        i live on an island, would you deliver there
        Are you able to send it abroad?
        do you serve the north of the city
        could it be shipped to my hotel in Rome
        what regions do you cover
        Can the technicians come out to villages?
        delivery to Canada possible?
        is shipping available to Northern Ireland
        do u deliver in my area
    """),
    "price_validity": lines("""
        How long is this quote valid?
        Until when does the spring offer run?
        Can I use two coupons together?
        do you price match
        will you honour the price from last week
        my voucher code says expired, can I still use it
        Is there a student discount?
        Does the ten percent off apply to sale items?
        if I order tomorrow will the price be the same
        I saw it cheaper elsewhere, can you beat that
        when does the gift card expire
        Would the promo code work on my next order too?
        how long can you hold the price you offered me
        is the black friday deal still on
        do you give a discount for ordering ten
    """),
    "product_guarantee": lines("""
        Is this bag genuine leather?
        will the charger work with my older phone
        Does the cream contain nuts?
        Are these watches authentic?
        is the tent really waterproof
        Can the pan be used on an induction hob?
        is it safe for babies
        Does this lens fit my camera?
        does it have gluten in it
        would the paint be suitable for bathrooms
        are the tickets real or could they be fake
        Is the adapter compatible with 220 volts?
        can you promise it is organic
        was it tested on animals
        how many litres does the tank hold, and can I rely on that figure
        is this phone brand new or refurbished
    """),
}
