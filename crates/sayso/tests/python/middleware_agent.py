"""An agent of LangChain behind `HumanInTheLoopMiddleware`, served by the second half of examples/langgraph_agent.py.

Its model is a program: it calls a tool for each line of a message (`run`, but `sudo` or `ask` for one that begins so),
and at the end says what each call returned.
"""

import json
import os
from pathlib import Path
from typing import TypedDict

from langchain.agents import create_agent
from langchain.agents.middleware import HumanInTheLoopMiddleware
from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage, HumanMessage, ToolMessage
from langchain_core.outputs import ChatGeneration, ChatResult
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.config import get_stream_writer
from langgraph.graph import END, START, StateGraph


def call_of(command):
    if command.startswith("ask "):
        return {"name": "ask", "args": {"question": command.removeprefix("ask ")}}
    return {"name": "sudo" if command.startswith("sudo ") else "run", "args": {"command": command}}


class Scripted(BaseChatModel):
    @property
    def _llm_type(self):
        return "scripted"

    def bind_tools(self, tools, **kwargs):
        return self

    def _generate(self, messages, stop=None, run_manager=None, **kwargs):
        results = [message for message in messages if isinstance(message, ToolMessage)]
        if results:
            # In the order of the calls, whichever came first.
            results.sort(key=lambda message: message.tool_call_id)
            reply = AIMessage("\n".join(str(message.content) for message in results))
        else:
            commands = next(message.content for message in messages if isinstance(message, HumanMessage)).splitlines()
            calls = [{"id": f"call{at}", **call_of(command)} for at, command in enumerate(commands)]
            reply = AIMessage("", tool_calls=calls)
        return ChatResult(generations=[ChatGeneration(message=reply)])


def run(command: str) -> str:
    """Runs a command."""
    return f"ran {command}"


def sudo(command: str) -> str:
    """Runs a command as root."""
    return f"ran as root {command}"


def ask(question: str) -> str:
    """Asks the user."""
    raise NotImplementedError("the user's words stand in place of its result")


agent = create_agent(
    Scripted(),
    [run, sudo, ask],
    middleware=[
        HumanInTheLoopMiddleware(
            interrupt_on={
                "run": {"allowed_decisions": ["approve", "reject"]},
                "sudo": {"allowed_decisions": ["edit"]},
                "ask": {"allowed_decisions": ["respond"]},
            }
        )
    ],
)


class State(TypedDict, total=False):
    commands: list[str]


def work(state):
    ended = agent.invoke({"messages": [HumanMessage("\n".join(state["commands"]))]})
    get_stream_writer()({"text": ended["messages"][-1].content})
    return {}


builder = StateGraph(State)
builder.add_node("work", work)
builder.add_edge(START, "work")
builder.add_edge("work", END)
graph = builder.compile(checkpointer=InMemorySaver())

example = (Path(__file__).parents[4] / "examples/langgraph_agent.py").read_text()
served = {"json": json, "os": os, "graph": graph}
exec("import threading, time, httpx\nfrom langgraph.types import Command\nLEASE = 5\n", served)
exec(example[example.index("with open(os.environ"):], served)
