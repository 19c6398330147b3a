"""A question as questionary asks it: `python questionary_peer.py '{"prompt": …, "options": [label, …]}'`."""

import json
import sys

import questionary

question = json.loads(sys.argv[1])
questionary.select(question["prompt"], choices=question["options"]).ask()
