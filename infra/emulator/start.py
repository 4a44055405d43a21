"""Starts MiniStack with what Lambda does and MiniStack 1.5.33 leaves out."""

from ministack.app import main
from ministack.services import lambda_svc

invoke = lambda_svc._execute_function


def invoke_in_window(function, event, *more, **named):
    """Where a mapping has a tumbling window, Lambda names the shard. A stream of MiniStack has one shard."""
    records = event.get("Records") if isinstance(event, dict) else None
    if records and records[0].get("eventSource") == "aws:dynamodb":
        event = {**event, "shardId": "shardId-00000000000000000000-00000001"}
    return invoke(function, event, *more, **named)


lambda_svc._execute_function = invoke_in_window
main()
