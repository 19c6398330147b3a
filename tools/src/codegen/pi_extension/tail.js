
/**
 * Asks at the desk, and returns the outcome. A call that pi ends leaves the question at the desk: the same questions find
 * it, or its answer.
 */
function askAtDesk(questions, cwd, signal) {
  const line = ["ask", "--elsewhere", "--format", "questionnaire", "--from", "pi", "-"];
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

export default function sayso(pi) {
  pi.registerTool({
    name: TOOL.name,
    label: "Ask a person",
    description: TOOL.description,
    parameters: TOOL.input_schema,
    async execute(_id, params, signal, _onUpdate, context) {
      const text = await askAtDesk(params, context?.cwd ?? process.cwd(), signal);
      return { content: [{ type: "text", text }], details: {} };
    },
  });
}
