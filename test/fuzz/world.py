"""What requests can be about: a brand of its own with partners, sales and all that a program can have."""

import itertools
import json
import os
import re
import struct
import time
import urllib.error
import urllib.request
import zlib

BASE_URL = os.environ["FUZZ_BASE_URL"]
DASHBOARD = "/api/dashboard/v1"
# Each signed-in person asks from here; the limits of a minute end when the clock moves on.
SECONDS_OF_A_LIMIT = 61
addresses = itertools.count(1)
names = itertools.count(1)


def fresh_address():
    """An address from which nobody has asked, because limits count by it."""
    number = next(addresses)
    return f"10.{number >> 16 & 255}.{number >> 8 & 255}.{number & 255}"


def call(method, path, token=None, body=None):
    """Sends a request, with bytes as an image. Answers the JSON of the reply, whatever its status."""
    is_image = isinstance(body, bytes)
    headers = {"Content-Type": "image/png" if is_image else "application/json", "X-Forwarded-For": fresh_address()}
    if token:
        headers["Authorization"] = f"Bearer {token}"
    data = body if body is None or is_image else json.dumps(body).encode()
    request = urllib.request.Request(BASE_URL + path, data=data, method=method, headers=headers)
    try:
        with urllib.request.urlopen(request) as reply:
            return json.load(reply)
    except urllib.error.HTTPError as refused:
        return json.load(refused)


def move_clock(seconds=SECONDS_OF_A_LIMIT):
    """Ends the windows of all limits."""
    call("POST", "/local/clock", body={"advance_seconds": seconds})


def identity_of(email):
    """What the issuer gives to a person who has signed in there."""
    return call("POST", "/local/oidc/token", body={"email": email})


def sign_in(email):
    """A login token, as the sign-in page gets one."""
    return call("POST", f"{DASHBOARD}/session", body=identity_of(email))["data"]["token"]


def logo():
    """A small white image."""

    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    size = 64
    rows = zlib.compress((b"\0" + b"\xff" * 3 * size) * size)
    header = struct.pack(">IIBBBBB", size, size, 8, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", rows) + chunk(b"IEND", b"")


class World:
    """A brand: `ids` has values for parameters and fields by their names."""

    def __init__(self):
        name = f"fuzz{next(names)}"
        self.name = name
        self.refusal = None
        self.owner_email = f"owner@{name}.test"
        self.partner_email = f"ana@{name}-partners.test"
        self.owner = sign_in(self.owner_email)
        self.workspace_id = self.made("POST", "/workspace", {"name": name})["id"]
        terms = {"commission_type": "percent", "commission_rate": 20, "hold_period_days": 0}
        program = self.made("POST", "/programs", {"name": name, "domain": f"{name}.test", **terms})
        self.program = f"/programs/{program['id']}"
        self.key = self.made("POST", f"{self.program}/api-key", {})["api_key"]
        self.made("PATCH", f"{self.program}/brand", {"display_name": name})
        self.made("PUT", f"{self.program}/brand/logo", logo())
        self.made("PATCH", self.program, {"join": "apply"})
        rejected_id = self.applied(program["id"], "dee")
        self.made("POST", f"{self.program}/partners/{rejected_id}/reject", {"reason": "Not about our subject"})
        applicant_id = self.applied(program["id"], "cy")
        # From now on people join by themselves, and the terms of partners have a version to accept.
        self.made("PATCH", self.program, {"join": "open", "partner_terms": "Be fair."})
        partner = self.made("POST", f"{self.program}/partners", {"name": "Ana", "email": self.partner_email})
        invited = self.made(
            "POST", f"{self.program}/partners", {"name": "Ben", "email": f"ben@{name}.test", "invite": True}
        )
        self.partner = sign_in(self.partner_email)
        portal = f"/api/partner/v1/programs/{program['id']}"
        call("POST", f"{portal}/accept", self.partner, {"terms_version": 1})
        self.made("POST", f"{self.program}/links", {"partner_id": partner["id"], "short_link": name})
        code = self.made("POST", f"{self.program}/codes", {"partner_id": partner["id"], "code": name.upper()})
        group = self.made("POST", f"{self.program}/groups", {"name": "Best", "terms": terms})
        endpoint = self.made("POST", f"{self.program}/webhooks", {"url": "http://127.0.0.1:9/hook", "events": ["*"]})
        delivery = self.made("POST", f"{self.program}/webhooks/{endpoint['id']}/test", {})
        self.affiliate_url = f"https://{name}.test/?aff={name}"
        self.sale = 0
        self.click_id = call("POST", "/api/v1/track/click", body={"affiliate_url": self.affiliate_url})["click_id"]
        self.lead()
        transaction_id = self.sold()
        paid = self.sold()
        commissions = self.made("GET", f"{self.program}/commissions")
        ids = [row["id"] for row in commissions]
        self.made("POST", f"{self.program}/commissions/approve", {"ids": ids[-1:]})
        payout = self.made("POST", f"{self.program}/payouts", {"partner_id": partner["id"]})
        lines = self.made("GET", f"{self.program}/payouts/{payout['id']}/lines") if payout else []
        line = lines[0] if lines else {"id": "1-USD", "number": "1-1-USD"}
        tokens = self.made("GET", "/tokens")
        actions = self.made("GET", "/workspace/audit")
        self.ids = {
            "id": program["id"],
            "program_id": program["id"],
            "partner_id": partner["id"],
            "invited_id": invited["id"],
            "applicant_id": applicant_id,
            "rejected_id": rejected_id,
            "entry_id": actions[0]["id"],
            "event_id": self.unsold_payment(),
            "workspace_id": self.workspace_id,
            "group_id": group["id"],
            "endpoint_id": endpoint["id"],
            "delivery_id": delivery["id"],
            "short_link": name,
            "code": code["code"],
            "click_id": self.click_id,
            "customer_key": name,
            "transaction_id": transaction_id,
            "paid_transaction_id": paid,
            "commission_id": ids[0] if ids else 1,
            "payout_id": payout.get("id", 1),
            "line_id": line["id"],
            "number": line["number"],
            "account_id": self.account_id(),
            "token_id": tokens[0]["id"] if tokens else "0",
        }

    def made(self, method, path, body=None):
        """What the dashboard answers to the owner; fails where it refuses."""
        reply = call(method, DASHBOARD + path, self.owner, body)
        if reply.get("data") is None:
            if path.endswith("/payouts"):
                return {}
            raise RuntimeError(f"{method} {path}: {reply}")
        return reply["data"]

    def applied(self, program_id, name):
        """The id of a partner who has asked to join, and waits for an answer."""
        applicant = sign_in(f"{name}@{self.name}-partners.test")
        call("POST", f"/api/partner/v1/join/{program_id}", applicant, {"message": "I write about money."})
        return self.made("GET", f"{self.program}/partners?status=applied")[0]["id"]

    def unsold_payment(self):
        """The event id of a payment by the customer of an unknown click."""
        payment = {"amount_received": 4_900, "currency": "usd", "metadata": {"service_click_id": f"clk_{self.name}"}}
        event = {
            "id": f"evt_{self.name}",
            "type": "payment_intent.succeeded",
            "created": int(time.time()),
            "livemode": True,
            "data": {"object": {"id": f"pi_{self.name}", **payment}},
        }
        call("POST", "/api/v1/track/stripe", self.key, event)
        return self.made("GET", f"{self.program}/processor/payments")[0]["event_id"]

    def invited_member(self):
        """A login token of another person whom the workspace has invited."""
        email = f"lee{next(names)}@{self.name}.test"
        self.made("POST", "/workspace/members", {"email": email, "role": "member"})
        return sign_in(email)

    def mail_token(self):
        """What a link of the mail to the invited partner contains; `None` until that mail has been sent."""
        if self.refusal is None:
            for mail in call("GET", "/local/mail"):
                if mail["to"] == f"ben@{self.name}.test" and "block?token=" in mail["text"]:
                    self.refusal = re.search(r"block\?token=([\w-]+)", mail["text"])[1]
        return self.refusal

    def login_state(self):
        """The state of a terminal that waits for a person to sign in."""
        return call("POST", "/api/v1/cli/auth/start")["data"]["state"]

    def account_id(self):
        return self.made("GET", "/me")["account"]["id"]

    def lead(self):
        body = {"click_id": self.click_id, "customer_key": self.name, "email": f"customer@{self.name}.test"}
        call("POST", "/api/v1/track/lead", self.key, body)

    def sold(self):
        """Another sale of the customer. Answers its transaction id."""
        self.sale += 1
        transaction_id = f"{self.name}-{self.sale}"
        body = {"transaction_id": transaction_id, "amount_cents": 4_900, "customer_key": self.name}
        call("POST", "/api/v1/track/sale", self.key, body)
        return transaction_id

    def renew(self):
        """Signs both people in again: some changes need a recent sign-in, and some tests end sessions."""
        self.owner = sign_in(self.owner_email)
        self.partner = sign_in(self.partner_email)
