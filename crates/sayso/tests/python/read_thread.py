"""Sends a message to a thread and prints each event of the stream as JSON, as a third-party decoder reads it.

Usage: read_thread.py httpx-sse|langgraph-sdk|langgraph-sdk-async URL BODY. The token is in the environment, as TOKEN.
"""

import asyncio
import json
import os
import sys

import httpx
from httpx_sse import EventSource
from langgraph_sdk.sse import SSEDecoder, aiter_lines_raw, iter_lines_raw

decoder, url, body = sys.argv[1:]
request = {
    "content": body,
    "headers": {"authorization": "Bearer " + os.environ["TOKEN"], "content-type": "application/json"},
    "timeout": 60,
}


def told(event, data):
    print(json.dumps([event, data]), flush=True)


def decoded(sse, line):
    part = sse.decode(bytes(line).rstrip(b"\n"))
    if part is not None:
        told(part.event, part.data)


async def read_async():
    async with httpx.AsyncClient() as client, client.stream("POST", url, **request) as reply:
        sse = SSEDecoder()
        async for line in aiter_lines_raw(reply):
            decoded(sse, line)


if decoder == "langgraph-sdk-async":
    asyncio.run(read_async())
else:
    with httpx.stream("POST", url, **request) as reply:
        if decoder == "httpx-sse":
            for event in EventSource(reply).iter_sse():
                told(event.event, event.json())
        else:
            sse = SSEDecoder()
            for line in iter_lines_raw(reply):
                decoded(sse, line)
