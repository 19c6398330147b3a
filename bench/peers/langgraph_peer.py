"""LangGraph with its SQLite checkpoints: `python langgraph_peer.py ROW DB [REQUEST ANSWERS COUNT]`.

A graph of one node interrupts with the request and is resumed with the answers, each step durable before the next
(`durability="sync"`, and SQLite as LangGraph opens it: a write-ahead log that is synced at each commit).
`one` and `many` take their time themselves and report as one line of JSON; `serve` puts the same graph behind FastAPI
on uvicorn, says its address and what it runs on, and stays.
"""

import asyncio
import json
import platform
import socket
import sqlite3
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from importlib.metadata import version
from typing import Any, TypedDict

from langgraph.checkpoint.sqlite import SqliteSaver
from langgraph.checkpoint.sqlite.aio import AsyncSqliteSaver
from langgraph.graph import END, START, StateGraph
from langgraph.types import Command, interrupt

AT_ONCE = 64
SERVED = ["langgraph", "fastapi", "uvicorn", "uvloop", "httptools"]


class State(TypedDict):
    request: Any
    answers: Any


def ask(state):
    return {"answers": interrupt(state["request"])}


def graph(saver):
    return StateGraph(State).add_node("ask", ask).add_edge(START, "ask").add_edge("ask", END).compile(saver)


def of(number):
    return {"configurable": {"thread_id": str(number)}}


def pair(compiled, number, request, answers):
    """Asks and answers; fails unless the question came out and the answer went in."""
    asked = compiled.invoke({"request": request}, of(number), durability="sync")
    assert asked["__interrupt__"][0].value == request
    done = compiled.invoke(Command(resume=answers), of(number), durability="sync")
    assert done["answers"] == answers


def one(db, request, answers, count):
    """Pairs, one after another."""
    compiled = graph(SqliteSaver(sqlite3.connect(db, check_same_thread=False)))
    pair(compiled, "warm", request, answers)
    times = []
    for number in range(int(count)):
        start = time.perf_counter_ns()
        pair(compiled, number, request, answers)
        times.append(time.perf_counter_ns() - start)
    times.sort()
    return {"median_ns": times[len(times) // 2], "p99_ns": times[len(times) * 99 // 100]}


def many(db, request, answers, count):
    """Pairs from many threads at once."""
    compiled = graph(SqliteSaver(sqlite3.connect(db, check_same_thread=False)))
    pair(compiled, "warm", request, answers)
    count = int(count)
    start = time.perf_counter()
    with ThreadPoolExecutor(AT_ONCE) as threads:
        for done in [threads.submit(pair, compiled, number, request, answers) for number in range(count)]:
            done.result()
    return {"per_second": count / (time.perf_counter() - start)}


def serve(db, *_):
    """`POST /asks/N/open` and `/answer`, told to whoever reads `GET /events`; `GET /hold` until `POST /wake`."""
    import uvicorn
    from fastapi import FastAPI
    from fastapi.responses import PlainTextResponse, StreamingResponse

    readers, woken = set(), asyncio.Event()
    compiled = None

    @asynccontextmanager
    async def opened(_):
        nonlocal compiled
        async with AsyncSqliteSaver.from_conn_string(db) as saver:
            await saver.setup()
            compiled = graph(saver)
            yield

    app = FastAPI(lifespan=opened)

    def tell(number):
        for reader in readers:
            reader.put_nowait(f"event: change\ndata: {number}\n\n")

    @app.post("/asks/{number}/open")
    async def asked(number: str, request: dict):
        state = await compiled.ainvoke({"request": request}, of(number), durability="sync")
        tell(number)
        return {"id": number, "questions": state["__interrupt__"][0].value}

    @app.post("/asks/{number}/answer")
    async def answered(number: str, answers: dict):
        state = await compiled.ainvoke(Command(resume=answers), of(number), durability="sync")
        tell(number)
        return {"id": number, "answers": state["answers"]}

    @app.get("/events")
    async def events():
        reader = asyncio.Queue()
        readers.add(reader)

        async def told():
            try:
                yield "event: hello\ndata: {}\n\n"
                while True:
                    yield await reader.get()
            finally:
                readers.discard(reader)

        return StreamingResponse(told(), media_type="text/event-stream")

    @app.get("/hold")
    async def hold():
        await woken.wait()
        return PlainTextResponse("x" * 600)

    @app.post("/wake")
    async def wake():
        woken.set()
        return {}

    with socket.create_server(("127.0.0.1", 0), backlog=4096) as listening:
        print("{}:{}".format(*listening.getsockname()))
        print(*(f"{name} {version(name)}" for name in SERVED), f"Python {platform.python_version()}", sep=", ", flush=True)
        uvicorn.Server(uvicorn.Config(app, log_level="error", access_log=False)).run(sockets=[listening])


ROWS = {"one": one, "many": many, "serve": serve}


def main(row, db, *rest):
    texts = [json.loads(text) for text in rest[:2]]
    report = ROWS[row](db, *texts, *rest[2:])
    if report:
        peer = f"langgraph {version('langgraph')}"
        print(json.dumps({"peer": peer, "runtime": f"Python {platform.python_version()}", **report}))


if __name__ == "__main__":
    main(*sys.argv[1:])
