
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
