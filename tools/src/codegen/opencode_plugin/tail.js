
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
