"""Follows /v1/events with httpx-sse and prints each event as a line of JSON. After a cut it reconnects with Last-Event-ID.

Usage: follow_events.py URL. The token is in the environment, as TOKEN.
"""

import json
import os
import sys

import httpx
from httpx_sse import connect_sse

headers = {"authorization": "Bearer " + os.environ["TOKEN"]}
last_id = None
while True:
    extra = {"last-event-id": last_id} if last_id else {}
    try:
        with httpx.Client(timeout=60) as client, connect_sse(
            client, "GET", sys.argv[1], headers={**headers, **extra}
        ) as source:
            for event in source.iter_sse():
                last_id = event.id or last_id
                line = {"event": event.event, "id": event.id, "retry": event.retry, "data": event.json()}
                print(json.dumps(line), flush=True)
    except httpx.TransportError as error:
        print(json.dumps({"event": "cut", "data": type(error).__name__}), flush=True)
    else:
        print(json.dumps({"event": "cut", "data": None}), flush=True)
