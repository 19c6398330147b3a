
export default function sayso(pi) {
  pi.registerTool({
    name: TOOL.name,
    label: "Ask a person",
    description: TOOL.description,
    parameters: TOOL.input_schema,
    async execute(_id, params, signal, _onUpdate, context) {
      const cwd = context?.cwd ?? process.cwd();
      const text = await askAtDesk(params, { format: "questionnaire", from: "pi", cwd, signal });
      return { content: [{ type: "text", text }], details: {} };
    },
  });
}
