#!/usr/bin/env python3
"""An agent that speaks the Agent Client Protocol and does what a message tells it, good or bad. It has no library."""

import json
import os
import subprocess
import sys
import time
import urllib.request
from pathlib import Path

STARTED = Path("started")
FLAGS = set(sys.argv[1:])


class Cancelled(Exception):
    """The client cancelled the prompt."""


def rpc_message(method, params):
    own = {} if method.startswith("notifications") else {"id": method}
    return {"jsonrpc": "2.0", "method": method, "params": params, **own}


def http_caller(server):
    """Returns a function that calls an MCP server over HTTP."""
    headers = {header["name"]: header["value"] for header in server["headers"]}
    headers |= {"Content-Type": "application/json", "Accept": "application/json, text/event-stream"}

    def call(method, params):
        body = json.dumps(rpc_message(method, params)).encode()
        with urllib.request.urlopen(urllib.request.Request(server["url"], body, headers)) as response:
            lines = [line[6:] for line in response.read().decode().splitlines() if line.startswith("data: {")]
        return json.loads(lines[-1])["result"] if lines else None

    return call


def line_caller(server):
    """Returns a function that calls an MCP server on standard streams."""
    variables = {variable["name"]: variable["value"] for variable in server["env"]}
    command, pipe = [server["command"], *server["args"]], subprocess.PIPE
    process = subprocess.Popen(command, stdin=pipe, stdout=pipe, text=True, env={**os.environ, **variables})

    def call(method, params):
        message = rpc_message(method, params)
        print(json.dumps(message), file=process.stdin, flush=True)
        return json.loads(process.stdout.readline())["result"] if "id" in message else None

    return call


class Agent:
    def __init__(self):
        self.next_id = 0
        self.session = None
        self.server = None
        self.mode = "auto"

    def write(self, message):
        sys.stdout.write(json.dumps({"jsonrpc": "2.0", **message}) + "\n")
        sys.stdout.flush()

    def read(self):
        line = sys.stdin.readline()
        if not line:
            sys.exit(0)
        return json.loads(line)

    def update(self, **change):
        self.write({"method": "session/update", "params": {"sessionId": self.session, "update": change}})

    def say(self, text):
        self.update(sessionUpdate="agent_message_chunk", content={"type": "text", "text": text})

    def request(self, method, **params):
        """Sends a request and returns its result."""
        self.next_id += 1
        own = f"a{self.next_id}"
        self.write({"id": own, "method": method, "params": {"sessionId": self.session, **params}})
        while True:
            message = self.read()
            if message.get("method") == "session/cancel":
                raise Cancelled
            if message.get("id") == own:
                return message.get("result", message.get("error"))

    def step(self, name, value):
        if name == "say":
            self.say(value)
        elif name == "title":
            self.update(sessionUpdate="session_info_update", title=value)
        elif name == "run":
            kinds = ["allow_always", "allow_once", "reject_once", "reject_always"]
            options = [{"optionId": kind, "name": kind, "kind": kind} for kind in value.pop("kinds", kinds)]
            options = value.pop("options", options)
            call = {"toolCallId": f"t{self.next_id}", "title": "a tool", **value}
            self.update(sessionUpdate="tool_call", **call)
            outcome = self.request("session/request_permission", toolCall=call, options=options)["outcome"]
            self.say(f"[{outcome.get('optionId', outcome['outcome'])}]")
            done = "completed" if outcome.get("optionId") == "allow_once" else "failed"
            self.update(sessionUpdate="tool_call_update", toolCallId=call["toolCallId"], status=done)
        elif name == "form":
            result = self.request("elicitation/create", mode="form", message="Choose.", requestedSchema=value)
            self.say(json.dumps(result))
        elif name == "mode":
            self.say(self.mode)
        elif name == "ask_user":
            call = http_caller(self.server) if self.server.get("type") == "http" else line_caller(self.server)
            hello = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "a", "version": "1"}}
            call("initialize", hello)
            call("notifications/initialized", {})
            self.say(call("tools/list", {})["tools"][0]["name"] + " ")
            # A call goes another way than words, and may overtake them: these have arrived.
            self.request("_refused")
            result = call("tools/call", {"name": "ask_user", "arguments": value})
            self.say(result["content"][0]["text"])
        elif name == "read":
            try:
                self.say(f"[{Path(value).read_text(errors='replace')[:200]}]")
            except OSError as error:
                self.say(f"[{type(error).__name__}]")
        elif name == "write":
            try:
                Path(value).write_text("mine")
                self.say("[written]")
            except OSError as error:
                self.say(f"[{type(error).__name__}]")
        elif name == "environment":
            self.say(json.dumps(dict(os.environ)))
        elif name == "start":
            known = len(Path(value).read_text().split()) if Path(value).exists() else 0
            # A process that leaves the group and the parent of this one, as services do.
            script = f"echo $$ >> {value}; exec sleep 600"
            subprocess.run(["setsid", "-f", "sh", "-c", f"{script} > /dev/null 2>&1"], check=True)
            while len(Path(value).read_text().split() if Path(value).exists() else []) == known:
                time.sleep(0.01)
        elif name == "alive":
            known = Path(value).read_text().split() if Path(value).exists() else []
            self.say(f"{len([pid for pid in known if Path('/proc', pid).exists()])} of {len(known)} alive. ")
        elif name == "crash_once":
            if not STARTED.exists():
                STARTED.touch()
                os._exit(value)
        elif name == "crash":
            os._exit(value)
        elif name == "flood":
            while True:
                self.say("x" * value)
        elif name == "raw":
            sys.stdout.write(value)
            sys.stdout.flush()
        elif name == "hang":
            while self.read().get("method") != "session/cancel":
                pass
            Path(value).write_text("cancelled")
            raise Cancelled
        elif name == "fail":
            raise RuntimeError(value)

    def prompt(self, params):
        text = params["prompt"][0]["text"]
        steps = json.loads(text) if text.startswith("[") else [{"say": f"You said: {text}"}]
        for step in steps:
            for name, value in step.items():
                self.step(name, value)

    def modes(self):
        available = [{"id": mode, "name": mode} for mode in ["auto", "plan", "default"]]
        return {"modes": {"currentModeId": self.mode, "availableModes": available}}

    def answer(self, message):
        method, params = message["method"], message.get("params", {})
        if method == "initialize":
            while "--mute" in FLAGS:
                self.read()
            servers = {"http": "--no-http" not in FLAGS}
            able = {"loadSession": "--no-load" not in FLAGS, "mcpCapabilities": servers}
            return {"protocolVersion": 1, "agentCapabilities": able}
        if method in ("session/new", "session/load"):
            self.server = params["mcpServers"][0]
        if method == "session/new":
            if "--signed-out" in FLAGS:
                return {"code": -32000, "message": "Authentication required"}
            self.session = f"session of {os.getpid()}"
            return {"sessionId": self.session, **self.modes()}
        if method == "session/load":
            self.session = params["sessionId"]
            self.say("an old message, which the thread has")
            return self.modes()
        if method == "session/set_mode" and "--fixed-mode" not in FLAGS:
            self.mode = params["modeId"]
            return {}
        if method == "session/prompt":
            try:
                self.prompt(params)
            except Cancelled:
                return {"stopReason": "cancelled"}
            except RuntimeError as error:
                return {"code": -32603, "message": "Internal error", "data": {"details": str(error)}}
            return {"stopReason": "end_turn"}
        return {"code": -32601, "message": "Method not found"}

    def serve(self):
        while True:
            message = self.read()
            if "id" in message and "method" in message:
                answer = self.answer(message)
                name = "error" if "code" in answer else "result"
                self.write({"id": message["id"], name: answer})


if "--exit" in FLAGS:
    sys.exit(3)
Agent().serve()
