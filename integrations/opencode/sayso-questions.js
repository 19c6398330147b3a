// Made by `cargo xtask codegen` from `sayso schema auq --as zod`: do not edit.
// Plugin of OpenCode: the tool `ask_user_questions`, with the schemas of AUQ, inline. A person answers at the desk.
import { spawn } from "node:child_process";
import { tool } from "@opencode-ai/plugin";

const z = tool.schema;

/** Program that brings the questions to the desk. */
const PROGRAM = process.env.SAYSO_PROGRAM ?? "sayso";

const OptionSchema = z.object({
  label: z.string().describe("What the user sees and picks: concise, 1 to 5 words. End it with '(Recommended)' to recommend the option."),
  description: z.string().describe("What the option means, or what follows from choosing it: trade-offs, consequences.").optional(),
}).describe("One option of a question.");

const QuestionSchema = z.object({
  prompt: z.string().min(1).describe("The complete question to ask the user. Should be clear, specific, and end with a question mark. Where several options may be picked, word it so: 'Which features do you want to enable?'"),
  title: z.string().min(1, { error: "Question title is required. Provide a short summary like 'Language' or 'Framework'." }).describe("Very short label displayed as a chip/tag (max 12 chars). It lets the user tell the questions apart at a glance."),
  options: z.array(OptionSchema).min(2).max(4).describe("The choices there are. Must have 2-4 options. There should be no 'Other' option, that will be provided automatically. They should exclude each other unless multiSelect is true."),
  multiSelect: z.boolean().describe("Set to true to allow the user to select multiple options. Default: false (single-select) Use it where the options do not exclude each other."),
}).describe("One question with the options to choose from.");

const QuestionsSchema = z.array(QuestionSchema).min(1).max(4).describe("Questions that are asked together, in this order.");

const QuestionInput = QuestionSchema;
/** @typedef {import("zod").infer<typeof QuestionInput>} QuestionInput */

const AskUserQuestionsParametersSchema = z.object({
  questions: QuestionsSchema.describe("The questions to ask the user, 1 to 4 of them. Each has a prompt, a title, options and multiSelect."),
}).describe("Questions to the user.");

const DESCRIPTION = "Puts questions to the user while you work, and brings back the answers as text. Call it to learn what the user prefers or requires, to clear up an instruction that can be read in more than one way, to have an implementation choice decided as you come to it, or to offer directions to go on in.\n\n- Every question also takes text of the user's own as \"Other\": never list such an option.\n- Set multiSelect to true where several options may be picked.\n- Recommend an option wherever you can: put it first and end its label with \"(Recommended)\".\n- Never ask with it whether your plan is ready or whether to proceed.";

/**
 * Asks at the desk, and returns the outcome as text. A call that the host ends leaves the ask at the desk: the same
 * questions find it, or its answer.
 * @param {unknown} questions
 * @param {{ format: string, from: string, cwd: string, signal?: AbortSignal }} call
 * @returns {Promise<string>}
 */
function askAtDesk(questions, { format, from, cwd, signal }) {
  const line = ["ask", "--elsewhere", "--format", format, "--from", from, "-"];
  return new Promise((resolve, reject) => {
    const ask = spawn(PROGRAM, line, { cwd, stdio: ["pipe", "pipe", "pipe"], signal });
    let outcome = "";
    let problem = "";
    ask.stdout.on("data", (bytes) => (outcome += bytes));
    ask.stderr.on("data", (bytes) => (problem += bytes));
    ask.on("error", reject);
    // A decline is an outcome too, which says so.
    ask.on("close", () => (outcome ? resolve(outcome.trimEnd()) : reject(new Error(problem.trim()))));
    ask.stdin.on("error", () => {});
    ask.stdin.end(JSON.stringify(questions));
  });
}

/** @type {import("@opencode-ai/plugin").Plugin} */
export const SaysoQuestions = async () => ({
  tool: {
    ask_user_questions: tool({
      description: DESCRIPTION,
      args: AskUserQuestionsParametersSchema.shape,
      execute: (args, { directory: cwd, abort: signal }) =>
        askAtDesk(args, { format: "auq", from: "OpenCode", cwd, signal }),
    }),
  },
});
