"""Starts MiniStack 1.5.33 with Lambda features that it lacks, and records the decisions of IAM."""

import json
import os
import threading

from ministack.core import iam_evaluator

evaluate = iam_evaluator.evaluate
enforce = iam_evaluator.enforce
asked = threading.local()
decisions = open(os.path.join(os.environ["HOME"], "iam-decisions.jsonl"), "a", buffering=1, encoding="utf-8")


def evaluate_and_remember(context, *policies):
    """Stores the principal, which is only available here."""
    if getattr(asked, "principal", None) is None:
        asked.principal = context.principal_arn
    return evaluate(context, *policies)


def enforce_and_note(access_key_id, iam_action, service, region, resource_arn="*", service_context=None):
    """Writes one line of JSON per policy decision, resource policies included."""
    asked.principal = None
    denied = enforce(access_key_id, iam_action, service, region, resource_arn, service_context)
    if asked.principal is not None:
        decision = "Allow" if denied is None else getattr(denied, "decision", "Deny")
        noted = {
            "principal": asked.principal,
            "action": iam_action,
            "resource": resource_arn,
            "decision": decision,
        }
        decisions.write(json.dumps(noted) + "\n")
    return denied


# Must be set before the services import them.
iam_evaluator.evaluate = evaluate_and_remember
iam_evaluator.enforce = enforce_and_note

from ministack.app import main  # noqa: E402
from ministack.services import lambda_svc  # noqa: E402

invoke = lambda_svc._execute_function


def invoke_in_window(function, event, *more, **named):
    """Adds the shard id, which Lambda sends if the mapping has a tumbling window. A MiniStack stream has one shard."""
    records = event.get("Records") if isinstance(event, dict) else None
    if records and records[0].get("eventSource") == "aws:dynamodb":
        event = {**event, "shardId": "shardId-00000000000000000000-00000001"}
    return invoke(function, event, *more, **named)


lambda_svc._execute_function = invoke_in_window
main()
