
/**
 * Asks at the desk, and returns the answers as text. A call that OpenCode ends leaves the ask at the desk: the same
 * questions find it, or its answer.
 * @param {unknown} questions
 * @param {{ directory: string, abort: AbortSignal }} context
 * @returns {Promise<string>}
 */
function askAtDesk(questions, { directory, abort }) {
  const line = ["ask", "--elsewhere", "--format", "auq", "--from", "OpenCode", "-"];
  return new Promise((resolve, reject) => {
    const ask = spawn(PROGRAM, line, { cwd: directory, stdio: ["pipe", "pipe", "pipe"], signal: abort });
    let answers = "";
    let problem = "";
    ask.stdout.on("data", (bytes) => (answers += bytes));
    ask.stderr.on("data", (bytes) => (problem += bytes));
    ask.on("error", reject);
    ask.on("close", () => (answers ? resolve(answers.trimEnd()) : reject(new Error(problem.trim()))));
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
      execute: (args, context) => askAtDesk(args, context),
    }),
  },
});
