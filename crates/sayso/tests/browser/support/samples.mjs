// Requests that several checks show.
export const QUESTIONS = [
  { id: "one", prompt: "Which one?", options: ["A", "B", "C"], other: true },
  { id: "many", prompt: "Which ones?", options: ["D", "E"], multi: true },
  { id: "sure", kind: "confirm", prompt: "Sure?" },
  { id: "rate", kind: "rating", prompt: "How good?", emoji: true, annotations: { 1: "Bad", 5: "Good" } },
  { id: "text", kind: "text", prompt: "Describe it" },
  { id: "long", kind: "text", long: true, prompt: "At length", required: false },
  { id: "count", kind: "number", prompt: "How many?" },
  { id: "day", kind: "date", prompt: "Which day?" },
];
export const REQUEST = { title: "A request", context: "See [this](https://example.com).", questions: QUESTIONS };
export const CONSENT = { title: "Clean up?", action: { tool: "execute", act: { shell: { command: "rm -rf target", folder: "/srv" } } }, questions: [{ id: "go", kind: "confirm", prompt: "Clean up?", yes: "Go" }] };
export const STEPS = { title: "设置", sections: [{ id: "a", title: "语言", questions: [{ id: "x", prompt: "语言？", options: ["TypeScript", "Rust"], other: true }] }, { id: "b", title: "评分", optional: true, questions: [{ id: "y", kind: "rating", prompt: "评分？" }] }], submit: "创建", cancel: "算了" };
