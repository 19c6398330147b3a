"""Hooks that give schemathesis what the document cannot: ids of existing asks, and their digests.

Intentionally invalid cases stay unchanged.
"""

import itertools
import json
import os
import random

import schemathesis

# Asks of the test: their ids, and the digests of their questionnaires.
ASKS = json.loads(os.environ["SAYSO_ASKS"])
# Tokens by account, of which the calls take one after the other, and for each account words that it may not read.
TOKENS = json.loads(os.environ.get("SAYSO_TOKENS", "{}"))
NEXT_TOKEN = itertools.cycle(TOKENS.values())
SECRETS = json.loads(os.environ.get("SAYSO_SECRETS", "{}"))
REQUEST = {"questions": [{"id": "text", "prompt": "Say it."}]}


def operation(case):
    return case.operation.definition.raw["operationId"]


def is_wrong_on_purpose(case):
    return case.meta is None or case.meta.generation.mode.is_negative


def has_null(value):
    if isinstance(value, dict):
        return any(has_null(member) for member in value.values())
    if isinstance(value, list):
        return any(has_null(item) for item in value)
    return value is None


@schemathesis.hook
def filter_case(context, case):
    # An optional member may also be null. The document does not offer that, but refusing it would help no one.
    return not (is_wrong_on_purpose(case) and has_null(case.body))


@schemathesis.hook
def after_call(context, case, response):
    for account, secret in SECRETS.items():
        if (case.headers or {}).get("Authorization") == "Bearer " + TOKENS[account] and secret in response.text:
            raise AssertionError(f"{account} reads {secret}: {operation(case)}")


@schemathesis.hook
def before_call(context, case, kwargs):
    if TOKENS:
        case.headers = {**(case.headers or {}), "Authorization": "Bearer " + next(NEXT_TOKEN)}
    if operation(case) in ("wait_for_outcome", "take_turn"):
        # No one would answer, or publish anything.
        if str((case.query or {}).get("wait", "")).isdigit() and int(case.query["wait"]) <= 60:
            case.query["wait"] = 0
        # A stream would not end.
        (case.headers or {}).pop("Accept", None)
    if operation(case) in ("chat", "follow_thread"):
        # No agent runs: the stream of an existing thread would not end.
        case.path_parameters = {"thread_id": "none"}
    if operation(case) == "execute_questionnaire":
        # No one would answer this one while the call waits.
        case.headers = {**(case.headers or {}), "Prefer": "respond-async"}
    if is_wrong_on_purpose(case) or random.random() < 0.3:
        return
    if operation(case) == "create_ask" and isinstance(case.body, dict):
        for member in ("questionnaire", "dialect", "timeout_ms"):
            case.body.pop(member, None)
        case.body["request"] = {**REQUEST, "title": str(random.random())}
    if operation(case).endswith("_token"):
        return
    if "id" in (case.path_parameters or {}):
        ask = random.choice(ASKS)
        case.path_parameters["id"] = ask["id"]
        if isinstance(case.body, dict) and "shown" in case.body:
            case.body["shown"] = ask["digest"]
            if "answers" in case.body or "replies" in case.body:
                case.body.pop("replies", None)
                case.body.pop("as_sent", None)
                case.body["answers"] = {"text": "yes"}
        if isinstance(case.body, dict) and isinstance(case.body.get("replies"), dict):
            case.body["replies"] = {"text": reply for reply in case.body["replies"].values()}
