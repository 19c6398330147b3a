"""An agent on the threads of a desk, with nothing but Python: SAYSO_DESK=http://127.0.0.1:7207 SAYSO_TOKEN_FILE=bot.token agent.py
A message may be a script, {"steps": [{"say": "…", "calls": [{"name": "execute", "args": {"command": "ls"}}]}]}. Its tools
only say what they would do."""
import json, os, threading, time, urllib.error, urllib.request

DESK = os.environ["SAYSO_DESK"]
# After so many seconds without a word the desk takes this process for gone.
LEASE = 5
with open(os.environ["SAYSO_TOKEN_FILE"]) as file:
    TOKEN = file.read().removeprefix("Authorization: Bearer ").strip()

def call(path, body=None):
    headers = {"authorization": "Bearer " + TOKEN, "content-type": "application/json"}
    data = None if body is None else json.dumps(body).encode()
    while True:
        try:
            request = urllib.request.Request(DESK + path, data, headers)
            with urllib.request.urlopen(request, timeout=90) as reply:
                return json.loads(reply.read() or "null")
        except urllib.error.HTTPError as error:
            if error.code < 500 and error.code != 429:
                raise RuntimeError(error.code, error.read().decode()) from None
        except OSError:
            pass  # The server may be starting again: nothing is lost.
        time.sleep(0.1)

def run(name, args):
    if name == "write_file":
        return "Updated file " + args["file_path"]
    return f"ran: {args.get('command')}\n[Command succeeded with exit code 0]"

def keep(place, shown, done):
    """Says that the turn is still worked on: without a word for LEASE seconds it would be another process's."""
    while not done.wait(LEASE / 3):
        try:
            call(place + "/events", {"turn": shown, "events": []})
        except RuntimeError:
            return  # The turn has ended, or is with another process.

def answer(turn):
    place, shown = "/v1/threads/" + turn["thread_id"], turn["turn"]
    tell = lambda *events: call(place + "/events", {"turn": shown, "events": events})
    say = lambda *texts: tell(*({"text": text} for text in texts))
    try:
        steps = json.loads(turn["message"])["steps"]
    except (ValueError, KeyError, TypeError):
        steps = None
    if not turn["again"] and len(call(place + "/history")["messages"]) == 1:
        tell({"title": "标题"})
    if steps is None:
        say("你", "好", "！")
    for number, step in enumerate(steps or []):
        if step.get("say"):
            say(step["say"])
        calls = [{"id": f"{number}.{at}", **made} for at, made in enumerate(step["calls"])]
        asked = {"decided": False}
        while not asked["decided"]:
            asked = call(place + "/ask?wait=50", {"turn": shown, "calls": calls})
        for made, decision in zip(calls, asked["decisions"]):
            result = decision.get("result") or run(made["name"], made["args"])
        if number + 1 == len(steps):
            say("收到", "：", result)
    call(place + "/end", {"turn": shown})

def serve(turn):
    done = threading.Event()
    threading.Thread(target=keep, args=["/v1/threads/" + turn["thread_id"], turn["turn"], done], daemon=True).start()
    try:
        answer(turn)
    except Exception as error:  # Refused by the desk, or a mistake of the message: its person hears of it, the agent goes on.
        place, shown = "/v1/threads/" + turn["thread_id"], turn["turn"]
        try:
            call(place + "/events", {"turn": shown, "events": [{"error": str(error)}]})
            call(place + "/end", {"turn": shown})
        except RuntimeError:
            pass  # The turn has ended, or is with another process.
    finally:
        done.set()

restarted = True
while True:
    taken = call("/v1/threads/next?wait=50", {"restarted": restarted, "lease_seconds": LEASE})
    restarted = False
    if taken:
        threading.Thread(target=serve, args=[taken], daemon=True).start()
