"""What customers write that asks for no commitment: greetings, assents, how-to, complaints, requests for a person."""

from ledger.decisions.phrasings.lines import lines

NONE_PHRASINGS: tuple[str, ...] = lines("""
    hi there
    Good morning, is anybody there?
    hello
    Thanks a lot!
    thank you, that helped
    cheers mate
    yes please
    ok go ahead
    yes, that is right
    no
    no thanks, that's all
    sure, do it
    perfect
    please proceed
    I see
    great, bye
    see you
    sounds good to me
    sorry for the late reply
    My name is Paula and my order number is 88213
    the number is 4471
    my email is kim@post.example
    here is the photo you asked for
    it is the black one
    How do I reset my password?
    I can't log in
    the code you texted me does not work
    how can I sign up for an account
    where do I find my invoice
    i need a copy of my bill
    send me the receipt
    how do i download the app
    how do I turn on notifications
    How can I track the steps in the app
    the website keeps crashing
    the page shows an error when I click pay
    my payment was declined
    i get an error at checkout
    How do I connect the speaker to my phone?
    how to use a coupon code
    how do I set up two factor
    I want to talk to a human
    can I speak with a manager
    put me through to an agent please
    give me the phone number of customer service
    how can I contact you
    I want to make a complaint
    your service is terrible
    worst company ever
    this is unacceptable!!!
    i am very disappointed with the way I was treated
    nobody helps me here
    the driver was rude
    the food was cold
    how do I write a review
    I would like to leave feedback
    sign me up to the newsletter
    unsubscribe me from the newsletter
    stop sending me emails
    What's the weather like?
    are you a robot
    who made you
    tell me a joke
    do you like music
    what time is it in Tokyo
    I want to place an order
    i'd like to buy a new lamp
    can I order another one
    do you have this in stock
    what colours does the chair come in
    recommend me a good phone
    what is the difference between the two models
    how do I update my email address
    i want to change my password
    how to edit my profile
    i forgot my pin
    my card is lost
    my card got stolen
    somebody used my card
    how do I activate the new card
    how do I make a transfer
    my transfer failed
    the cash machine kept my card
    the screen is broken
    it does not turn on
    it makes a strange noise
    the box was empty
    a part is missing
    you sent me the wrong item
    i received a damaged cup
    how do I return an item, where do I print the label
    show me how to check the invoice
    I need help
    can you help me
    I have a question
    I already told you that
    that is not what I asked
    what do you mean
    please explain
    why
    hmm
    haha
    good to know
    I'm looking for a table for four tonight
    book me a flight to Oslo
    what's on my account right now
    show my last three orders
    i want to open a second account
    switch to a different account
    recover my account
    my username is wrong
""")
