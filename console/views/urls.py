"""The addresses of the pages."""

from django.urls import path

from console.views import (
    acting,
    conflicts,
    conversation,
    conversations,
    correction_form,
    corrections,
    deliveries,
    delivery,
    delivery_acting,
    keys,
    policies,
    queue,
    receiver,
    review,
    session,
)

urlpatterns = [
    path("", queue.queue, name="queue"),
    path("login", session.SignIn.as_view(), name="login"),
    path("logout", session.SignOut.as_view(), name="logout"),
    path("review/<uuid:item_id>/", review.review, name="review"),
    path("review/<uuid:item_id>/check", review.check, name="review-check"),
    path("review/<uuid:item_id>/save", acting.save, name="review-save"),
    path("review/<uuid:item_id>/insert", acting.insert_text, name="review-insert"),
    path("review/<uuid:item_id>/approve", acting.approve, name="review-approve"),
    path("review/<uuid:item_id>/send-back", acting.send_back, name="review-send-back"),
    path("review/<uuid:item_id>/escalate", acting.escalate, name="review-escalate"),
    path("review/<uuid:item_id>/correct", acting.correct, name="review-correct"),
    path("review/<uuid:item_id>/preview", acting.preview, name="review-preview"),
    path("review/<uuid:item_id>/question", acting.choose_question, name="review-question"),
    path("review/<uuid:item_id>/settle", acting.settle, name="review-settle"),
    path("review/<uuid:item_id>/confirm", acting.confirm, name="review-confirm"),
    path("review/<uuid:item_id>/take", acting.take, name="review-take"),
    path("review/<uuid:item_id>/release", acting.release, name="review-release"),
    path("conversations/", conversations.conversations, name="conversations"),
    path("conversations/<int:conversation_id>/", conversation.conversation, name="conversation"),
    path(
        "conversations/<int:conversation_id>/correct/<path:key>", correction_form.correct, name="conversation-correct"
    ),
    path("corrections/", corrections.corrections, name="corrections"),
    path("corrections.csv", corrections.corrections_csv, name="corrections-csv"),
    path("conflicts/", conflicts.conflicts, name="conflicts"),
    path("conflicts/<uuid:conflict_id>/", conflicts.conflict, name="conflict"),
    path("conflicts/<uuid:conflict_id>/resolve", conflicts.resolve, name="conflict-resolve"),
    path("policies/", policies.policies, name="policies"),
    path("policies/<path:doc_id>/", policies.policy, name="policy"),
    path("keys/", keys.keys, name="keys"),
    path("keys/<path:key>/", keys.key, name="key"),
    path("deliveries/", deliveries.deliveries, name="deliveries"),
    path("deliveries/<uuid:delivery_id>/", delivery.delivery, name="delivery"),
    path("deliveries/<uuid:delivery_id>/undo", delivery_acting.undo, name="delivery-undo"),
    path("deliveries/<uuid:delivery_id>/send-again", delivery_acting.send_again, name="delivery-send-again"),
    path(
        "deliveries/<uuid:delivery_id>/mark-delivered", delivery_acting.mark_delivered, name="delivery-mark-delivered"
    ),
    path("deliveries/<uuid:delivery_id>/take-back", delivery_acting.take_back, name="delivery-take-back"),
    path("sample/receiver", receiver.receiver, name="sample-receiver"),
]
