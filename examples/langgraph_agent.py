"""A LangGraph agent on the threads of a desk: each `interrupt()` is answered in its thread, or wherever the desk is shown.

SAYSO_DESK=http://127.0.0.1:7207 SAYSO_TOKEN_FILE=bot.token langgraph_agent.py

Each line of a message is a command, which it asks for and then only says that it ran. `call` and what stands below it
serve any graph that interrupts with `{"questions": […]}`, or with `{"action_requests": […]}` as LangChain's
HumanInTheLoopMiddleware does.
"""
import json
import os
import threading
import time
from typing import TypedDict

import httpx
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.config import get_stream_writer
from langgraph.graph import END, START, StateGraph
from langgraph.types import Command, interrupt

# After so many seconds without a word the desk takes this process for gone.
LEASE = 5

WHEN = [
    {"label": "At once", "value": "now"},
    {"label": "Tonight", "value": "tonight"},
    {"label": "Another time", "value": "__custom__", "allow_custom": True},
]


class State(TypedDict, total=False):
    commands: list[str]
    when: str
    declined: str


def plan(state):
    picked = interrupt({"questions": [{"question": "When should it be done?", "options": WHEN}]})
    return {"when": picked[0]} if isinstance(picked, list) else {"declined": picked}


def work(state):
    tools = ["sudo" if command.startswith("sudo ") else "execute" for command in state["commands"]]
    calls = [{"name": tool, "args": {"command": command}} for tool, command in zip(tools, state["commands"])]
    # What would run as root is never run as it is: a person may change it.
    reviews = [{"action_name": "sudo", "allowed_decisions": ["edit"]}]
    decisions = interrupt({"action_requests": calls, "review_configs": reviews})["decisions"]
    tell = get_stream_writer()
    for command, decision in zip(state["commands"], decisions):
        if decision["type"] == "edit":
            command = decision["edited_action"]["args"]["command"]
        if decision["type"] in ("approve", "edit"):
            tell({"tool_start": "execute"})
            tell({"tool_end": "execute"})
            tell({"text": f"Ran ({state['when']}): {command}\n"})
        else:
            tell({"text": f"Not run: {command}\n"})
    return {}


def stop(state):
    get_stream_writer()({"text": state["declined"]})
    return {}


builder = StateGraph(State)
builder.add_node("plan", plan)
builder.add_node("work", work)
builder.add_node("stop", stop)
builder.add_edge(START, "plan")
builder.add_conditional_edges("plan", lambda state: "stop" if "declined" in state else "work", ["stop", "work"])
builder.add_edge("work", END)
builder.add_edge("stop", END)
# The desk knows what was decided, also after a crash: the graph then begins its turn once more, and is told it again.
graph = builder.compile(checkpointer=InMemorySaver())

with open(os.environ["SAYSO_TOKEN_FILE"]) as file:
    token = file.read().removeprefix("Authorization: Bearer ").strip()
desk = httpx.Client(
    base_url=os.environ["SAYSO_DESK"],
    headers={"authorization": "Bearer " + token},
    timeout=90,
)


def call(path, body):
    while True:
        try:
            reply = desk.post(path, json=body)
            if reply.status_code < 500 and reply.status_code != 429:
                if reply.is_error:
                    raise httpx.HTTPStatusError(reply.text, request=reply.request, response=reply)
                return reply.json() if reply.content else None
        except httpx.TransportError:
            pass  # The server may be starting again: nothing is lost.
        time.sleep(0.1)


def calls_of(number, asked):
    """What an interrupt asks, as calls of tools, whose ids are the same when the turn is begun once more."""
    if "questions" in asked:
        return [{"id": str(number), "name": "ask_user", "args": {"questions": asked["questions"]}}]
    return [{"id": f"{number}.{at}", **call_of(asked, one)} for at, one in enumerate(asked["action_requests"])]


def call_of(asked, one):
    """The action to approve, or a question for what stands in its place."""
    kind = kind_of(asked, one)
    if kind == "approve":
        return {"name": one["name"], "args": one["args"]}
    if kind == "respond":
        question = one["args"].get("question") or one.get("description") or one["name"]
        options = [{"label": "In these words", "value": "__custom__", "allow_custom": True}]
    else:
        now = json.dumps(one["args"], ensure_ascii=False)
        question = f"Run {one['name']} how?"
        options = [
            {"label": f"As it is: {now}", "value": now},
            {"label": "With these arguments, in JSON", "value": "__custom__", "allow_custom": True},
        ]
    return {"name": "ask_user", "args": {"questions": [{"question": question, "options": options}]}}


def kind_of(asked, one):
    """How an action is agreed to: as it is, with other arguments, or by words in place of its result."""
    configs = asked.get("review_configs") or []
    allowed = next((each["allowed_decisions"] for each in configs if each.get("action_name") == one["name"]), [])
    return next((kind for kind in ("approve", "edit", "respond") if kind in allowed), "approve")


def decision_of(asked, one, decision):
    kind = kind_of(asked, one)
    if decision["decision"] not in ("answer", "continue"):
        return {"type": "reject", "message": decision.get("result", "")}
    if kind == "approve":
        return {"type": "approve"}
    typed = json.loads(decision["result"])[0]
    if kind == "respond":
        return {"type": "respond", "message": typed}
    try:
        args = json.loads(typed)
    except ValueError:
        args = None
    if not isinstance(args, dict):
        raise ValueError(f"The arguments of {one['name']} are no JSON object: {typed}")
    return {"type": "edit", "edited_action": {"name": one["name"], "args": args}}


def resumed_with(asked, decisions):
    """What `interrupt()` returns: the answers, or the words of who said no; of actions a decision for each."""
    if "questions" in asked:
        result = decisions[0]["result"]
        return json.loads(result) if decisions[0]["decision"] == "answer" else result
    return {"decisions": [
        decision_of(asked, one, decision) for one, decision in zip(asked["action_requests"], decisions)
    ]}


def answer(turn):
    place, shown = "/v1/threads/" + turn["thread_id"], turn["turn"]
    config = {"configurable": {"thread_id": shown}}
    given = {"commands": turn["message"].splitlines()}
    number = 0
    while given is not None:
        waiting = []
        for kind, told in graph.stream(given, config, stream_mode=["custom", "updates"]):
            if kind == "custom":
                call(place + "/events", {"turn": shown, "events": [told]})
            else:
                waiting += told.get("__interrupt__", ())
        decided = {}
        for one in waiting:
            body = {"turn": shown, "calls": calls_of(number, one.value)}
            number += 1
            asked = {"decided": False}
            while not asked["decided"]:
                asked = call(place + "/ask?wait=50", body)
            decided[one.id] = resumed_with(one.value, asked["decisions"])
        given = Command(resume=decided) if decided else None
    call(place + "/end", {"turn": shown})


def keep(place, shown, done):
    """Says that the turn is still worked on: without a word for LEASE seconds it would be another process's."""
    while not done.wait(LEASE / 3):
        try:
            call(place + "/events", {"turn": shown, "events": []})
        except httpx.HTTPStatusError:
            return  # The turn has ended, or is with another process.


def serve(turn):
    done = threading.Event()
    threading.Thread(target=keep, args=["/v1/threads/" + turn["thread_id"], turn["turn"], done], daemon=True).start()
    try:
        answer(turn)
    except Exception as error:
        place, shown = "/v1/threads/" + turn["thread_id"], turn["turn"]
        try:
            call(place + "/events", {"turn": shown, "events": [{"error": str(error)}]})
            call(place + "/end", {"turn": shown})
        except httpx.HTTPStatusError:
            pass  # The turn has ended anyway, because its thread was deleted or another process has it.
    finally:
        done.set()


restarted = True
while True:
    taken = call("/v1/threads/next?wait=50", {"restarted": restarted, "lease_seconds": LEASE})
    restarted = False
    if taken:
        threading.Thread(target=serve, args=[taken], daemon=True).start()
