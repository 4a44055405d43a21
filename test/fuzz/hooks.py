"""Schemathesis loads this: each request is one that the service could have had, unless its data are wrong on purpose."""

import atexit
import json
import os
from collections import Counter, defaultdict

import schemathesis
from schemathesis.core.parameters import ParameterLocation
from world import DASHBOARD, World, call, fresh_address, identity_of, move_clock

AGENT = {"key": os.environ["FUZZ_AGENT_KEY"], "program_id": int(os.environ["FUZZ_AGENT_PROGRAM"])}
# The limit of a credential is at least 30 requests in a minute.
REQUESTS_UNTIL_THE_CLOCK_MOVES = 25
REQUESTS_OF_A_WORLD = 250
# They end what the others need: a new world comes after one that succeeded.
ENDS_A_WORLD = {
    "closeAccount",
    "declinePartnership",
    "deleteWebhookEndpoint",
    "endOtherTokens",
    "endToken",
    "generateProgramKey",
    "leaveProgram",
    "leaveWorkspace",
    "removeMember",
    "removeMemberByQuery",
    "signOut",
    "changePartner",
    "changeProgram",
    "setLinkStatus",
    "changeCode",
    "unlinkCustomer",
    "eraseCustomer",
    # A person gets few invitations a week.
    "invitePartner",
    "removeLogo",
}

statuses = defaultdict(Counter)


class Run:
    world = World()
    requests = 0
    has_to_end = False


def next_world():
    """A new brand every now and then, and where the present one has been ended."""
    Run.requests += 1
    if Run.has_to_end or Run.requests % REQUESTS_OF_A_WORLD == 0:
        Run.world, Run.has_to_end = World(), False
    if Run.requests % REQUESTS_UNTIL_THE_CLOCK_MOVES == 0:
        move_clock()
        # A sign-in is recent for some minutes.
        if Run.requests % (5 * REQUESTS_UNTIL_THE_CLOCK_MOVES) == 0:
            Run.world.renew()
    return Run.world


def credential_of(case, world):
    path = case.operation.path
    if path.startswith("/api/agent/"):
        return AGENT["key"]
    if path in (f"{DASHBOARD}/workspace/join", f"{DASHBOARD}/workspace/decline"):
        return world.invited_member()
    if path.startswith("/api/partner/"):
        # Owners look at the portal as one of their partners.
        return world.owner if "as" in (case.query or {}) else world.partner
    if path.startswith((DASHBOARD, "/api/v1/cli/init", "/api/v1/cli/programs")):
        return world.owner
    return world.key


def path_value(case, name, world):
    path = case.operation.path
    if path.startswith("/api/agent/"):
        return AGENT["program_id"]
    if path.startswith(f"{DASHBOARD}/tokens/"):
        return world.ids["token_id"]
    if path.endswith("/withdraw") and name == "partner_id":
        return world.ids["invited_id"]
    if path.endswith("/invite") and name == "partner_id":
        return world.ids["rejected_id"]
    if path.endswith(("/accept", "/reject")) and name == "partner_id":
        return world.ids["applicant_id"]
    return world.ids.get(name)


# Fields of bodies and queries that name something, by where the name is in the world.
NAMED = {
    "partner_id": "partner_id",
    "as": "partner_id",
    "group_id": "group_id",
    "payout_id": "payout_id",
    "click_id": "click_id",
    "customer_key": "customer_key",
    "program_id": "program_id",
    "workspace_id": "workspace_id",
    "event_id": "event_id",
    "account_id": "account_id",
}


def is_negative(case, location):
    return case.meta is not None and case.meta.is_negative_at(location)


def is_wrong(case):
    return any(is_negative(case, location) for location in ParameterLocation)


def with_names(values, world, operation_id):
    """Lets what names something name what there is."""
    for field, known in NAMED.items():
        if field in values and values[field] is not None:
            values[field] = world.ids[known]
    if operation_id in ("trackRefund", "explainSaleByQuery", "correctRefundByQuery") and "transaction_id" in values:
        values["transaction_id"] = world.ids["transaction_id"]
    if operation_id == "trackSale" and "transaction_id" in values:
        values["customer_key"] = world.ids["customer_key"]
    if "affiliate_url" in values:
        values["affiliate_url"] = world.affiliate_url
    if operation_id in ("approveCommissions", "rejectCommissions", "releaseCommissions") and "ids" in values:
        values["ids"] = [world.ids["commission_id"]]
    if "state" in values and operation_id in ("getLoginRequest", "pollLogin", "completeLogin"):
        values["state"] = world.login_state()
    if "id_token" in values:
        values.update(identity_of(world.owner_email))
    if "token" in values and world.mail_token() is not None:
        values["token"] = world.mail_token()
    # Of a page that was asked for before.
    if "cursor" in values:
        del values["cursor"]


@schemathesis.hook
def before_call(context, case, kwargs):
    world = next_world()
    operation_id = case.operation.definition.raw["operationId"]
    if case.path_parameters and not is_negative(case, ParameterLocation.PATH):
        known_programs = {world.ids["id"], AGENT["program_id"]}
        # A link has brought ids of another program, which belong together.
        is_linked = case.path_parameters.get("id") not in known_programs and case.meta is None
        if not is_linked:
            for name in case.path_parameters:
                value = path_value(case, name, world)
                if value is not None:
                    case.path_parameters[name] = value
    if case.query and not is_negative(case, ParameterLocation.QUERY):
        with_names(case.query, world, operation_id)
    if isinstance(case.body, dict) and not is_negative(case, ParameterLocation.BODY):
        with_names(case.body, world, operation_id)
    headers = dict(case.headers or {})
    headers["X-Forwarded-For"] = fresh_address()
    headers["Authorization"] = f"Bearer {credential_of(case, world)}"
    case.headers = headers


@schemathesis.hook
def after_call(context, case, response):
    operation_id = case.operation.definition.raw["operationId"]
    # What is named wrong on purpose is not found, as it must be.
    if response.status_code != 404 or not is_wrong(case):
        statuses[operation_id][response.status_code] += 1
    if operation_id in ENDS_A_WORLD and response.status_code == 200:
        Run.has_to_end = True


@atexit.register
def write_statuses():
    with open(os.environ["FUZZ_STATUSES"], "w", encoding="utf-8") as file:
        json.dump({operation: dict(counts) for operation, counts in statuses.items()}, file)
