"""Starts MiniStack with what Lambda does and MiniStack 1.5.33 leaves out, and notes what IAM decides."""

import json
import os

from ministack.app import main
from ministack.core import iam_evaluator
from ministack.services import lambda_svc

invoke = lambda_svc._execute_function


def invoke_in_window(function, event, *more, **named):
    """Where a mapping has a tumbling window, Lambda names the shard. A stream of MiniStack has one shard."""
    records = event.get("Records") if isinstance(event, dict) else None
    if records and records[0].get("eventSource") == "aws:dynamodb":
        event = {**event, "shardId": "shardId-00000000000000000000-00000001"}
    return invoke(function, event, *more, **named)


evaluate = iam_evaluator.evaluate
decisions = open(os.path.join(os.environ["HOME"], "iam-decisions.jsonl"), "a", buffering=1, encoding="utf-8")


def evaluate_and_note(context, *policies):
    """A line of JSON for each decision about a role."""
    result = evaluate(context, *policies)
    noted = {
        "principal": context.principal_arn,
        "action": context.action,
        "resource": context.resource_arn,
        "decision": str(result.decision),
    }
    decisions.write(json.dumps(noted) + "\n")
    return result


lambda_svc._execute_function = invoke_in_window
iam_evaluator.evaluate = evaluate_and_note
main()
