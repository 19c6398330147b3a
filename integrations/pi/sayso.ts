// Extension of pi: the tool `ask_person`, by the Questionnaire API of a desk that `sayso serve` serves.
// Copy it to ~/.pi/agent/extensions/sayso.ts, and set SAYSO_DESK and SAYSO_TOKEN_FILE (the token of an asker).
import { readFileSync } from "node:fs";
import { Type } from "@earendil-works/pi-ai";
import type { ExtensionAPI } from "@earendil-works/pi-coding-agent";

const DESK = process.env.SAYSO_DESK ?? "http://127.0.0.1:7207";
const TOKEN_FILE = process.env.SAYSO_TOKEN_FILE;

const Question = Type.Object(
	{
		id: Type.String({ description: "Unique among the questions; the answers have it as their key." }),
		type: Type.Union(
			["select", "multiSelect", "text", "confirm", "rating"].map((type) => Type.Literal(type)),
			{ description: "select and multiSelect need options and maxSelect; rating needs range." },
		),
		label: Type.String({ description: "Short name of the question." }),
		prompt: Type.String({ description: "The whole question." }),
		options: Type.Optional(
			Type.Array(
				Type.Object({
					value: Type.String(),
					label: Type.String(),
					description: Type.Optional(Type.String({ description: "What follows from it." })),
				}),
				{ description: "An own answer is always offered in addition: never list one." },
			),
		),
		maxSelect: Type.Optional(Type.Number({ description: "1 for select, 2 or more for multiSelect." })),
		range: Type.Optional(Type.Object({ min: Type.Number(), max: Type.Number() })),
	},
	{ additionalProperties: true },
);

/** Reads the header of the token each time: a person may replace the file. */
function authorization(): string {
	if (!TOKEN_FILE) throw new Error("SAYSO_TOKEN_FILE is not set: it names the file with the token of an asker");
	return readFileSync(TOKEN_FILE, "utf8").trim().replace(/^authorization:\s*/i, "");
}

export default function sayso(pi: ExtensionAPI) {
	pi.registerTool({
		name: "ask_person",
		label: "Ask a person",
		description:
			"Asks a person, who answers at their desk, and waits for the answers. For an act that cannot be undone, or a choice " +
			"that only a person can make. Put everything into one call. A call that was cut off asks nothing twice: call it again " +
			"with the same questions.",
		parameters: Type.Object({ questions: Type.Array(Question, { minItems: 1 }) }),
		async execute(_toolCallId, params, signal) {
			const reply = await fetch(new URL("/questionnaire", DESK), {
				method: "POST",
				headers: { authorization: authorization(), "content-type": "application/json" },
				body: JSON.stringify(params),
				signal,
			});
			const text = await reply.text();
			// A refusal and a decline are results too: the agent must not take them for an answer.
			return { content: [{ type: "text", text: reply.ok ? text : `No answer (${reply.status}): ${text}` }], details: {} };
		},
	});
}
