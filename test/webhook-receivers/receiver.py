"""Verifies deliveries as a receiver in Python does: JSON in, one verdict for each out."""

import json
import sys

from standardwebhooks.webhooks import Webhook, WebhookVerificationError


def verdict(delivery):
    try:
        Webhook(delivery["secret"]).verify(delivery["body"], delivery["headers"])
        return "valid"
    except WebhookVerificationError:
        return "refused"


print(json.dumps([verdict(delivery) for delivery in json.load(sys.stdin)]))
