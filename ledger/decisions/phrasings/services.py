"""Phrasings about services, payment and contracts. One customer voice a line."""

from ledger.decisions.phrasings.lines import lines

SERVICES: dict[str, tuple[str, ...]] = {
    "cancellation_window": lines("""
        Can I still cancel my order?
        I want to cancel my booking
        until when can I call it off
        Please stop my order, I picked the wrong thing
        is it too late to cancel
        how many hours before the event may I withdraw
        cancel my reservation for tonight
        i need to cancle the purchase I made this morning
        May I cancel a course after it has started?
        what is your cancellation policy
        I changed my mind, please cancel order 5512
        does the cooling off period apply here
        I would like to withdraw from the contract
        can you cancel the flight for me
        order cancellation possible after dispatch?
        i no longer want the table I ordered, call it off please
        Could you cancel one of my two tickets
    """),
    "cancellation_fee": lines("""
        What does it cost to cancel?
        is there a cancellation fee
        Will I be charged if I call off the appointment today?
        how much do I lose if I cancel my trip
        Can I leave the contract early without a penalty?
        early termination fee?
        do I have to pay anything when I cancel the hotel
        Is cancelling free of charge?
        what are the penalties for cancelling late
        if i quit before the year is over what will you charge me
        do you keep part of the money when someone cancels
        whats the exit fee on my plan
        check the charge for cancelling early
    """),
    "fees": lines("""
        Why was I charged 3 euros extra?
        what is this fee on my bill
        Is there a fee for paying by card?
        How much does the call out of an engineer cost?
        do you charge for cash withdrawals
        There is a payment on my statement I don't recognise, what was it for
        how much do you charge for installation
        Are there any hidden costs?
        what exchange rate and fee did you apply
        is there a charge for a top up
        I was billed more than the advertised price, why
        What would a second card cost me?
        do I have to pay for a baggage
        a service fee appeared on my invoice
        whats the monthly charge for the account
        is the inspection free
    """),
    "deposit_terms": lines("""
        How much deposit do I have to pay?
        Do I get my deposit back?
        When will the deposit be returned?
        is the down payment refundable
        do you need a deposit for hiring the van
        When is the deposit due?
        you kept part of my security deposit, on what grounds
        can I pay the deposit later
        how big is the holding deposit
        Will I lose the deposit if I don't move in?
        what happens to my desposit when I cancel
        is a deposit required to reserve
    """),
    "payment_terms": lines("""
        Which payment methods do you accept?
        Can I pay in instalments?
        do you take American Express
        When is my invoice due?
        can i pay cash on delivery
        Is it possible to pay by bank transfer?
        do you offer financing over 12 months
        How many days do we have to pay the bill?
        may I pay half now and half later
        is apple pay ok
        what are the payment options
        can the invoice be paid at the end of the month
        can I split the bill over two cards
        what happens if I pay late
        are cheques accepted
    """),
    "response_sla": lines("""
        When will somebody get back to me?
        how long do you take to answer emails
        What are your opening hours?
        When can I expect a call back?
        is your support open on sundays
        how soon will my complaint be dealt with
        I wrote on Monday, when do I get a reply?
        until what time can I phone you
        what is your response time for business customers
        by when will my ticket be resolved
        are you available at weekends
        How quickly does the emergency line react?
        when will you let me know the outcome
        what hours is customer service available
        how long until an agent calls me
    """),
    "repair_turnaround": lines("""
        How long will the repair take?
        When is my laptop ready?
        how many days do you need to fix a phone
        is my watch repaired yet
        When can I collect the car from the workshop?
        what's the usual turnaround for a screen replacement
        you've had my camera for two weeks, when do I get it back
        will the heating be fixed before the weekend
        how long does a service of the boiler take
        By when would the spare part be fitted?
        when will the site be working again
        how long for mending a zip
        could you repair it while I wait, in an hour or so
        when are you going to fix the internet here
        status of my repair
    """),
    "appointment_terms": lines("""
        Can I reschedule my appointment?
        What happens if I miss my appointment?
        how far ahead must I book a visit
        i'd like to book a technician for next week
        Is it possible to move the fitting to the afternoon?
        do I need an appointment or can I walk in
        The plumber was due at nine and did not come, what now
        how long in advance can we change the slot
        Can I make an appointment for saturday?
        are evening appointments possible
        do you charge for a no-show
        need an earlier slot with the doctor
        what time is my appointment
        i will be 15 minutes late, will you still see me
        can someone come out and look at it tomorrow
    """),
    "subscription_renewal": lines("""
        Does my subscription renew automatically?
        when does my membership renew
        How much notice do I have to give to end the contract?
        How long is the free trial?
        i dont want it to renew, how do I switch off auto renewal
        What's the minimum term of the plan?
        will I be charged when the trial ends
        When is the next renewal date?
        can I pause my subscription for two months
        is it a rolling contract or a year
        how do I end my membership before it renews
        Will the price go up at renewal?
        what is the notice period
        my plan was extended without asking, is that normal
        can I downgrade my subscription at any time
    """),
    "account_closure": lines("""
        I want to close my account
        How do I delete my account for good?
        What happens to my balance when I close the account?
        please deactivate my profile
        do you keep my data after I leave
        will my points be lost if the account is closed
        i need to terminate my account with you
        Can a closed account be opened again?
        how long do you store my details after deletion
        remove my account from your site
        please erase all personal information you hold about me
        want to shut down the premium account
        can my late father's account be closed
        help me get rid of my acount
    """),
}
