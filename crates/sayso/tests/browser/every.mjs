// Every kind of question and every type of field, each in a request, and the steps by which a person answers them.

const REGIONS = Array.from({ length: 14 }, (_, index) => `Region ${index + 1}`);

/** Every kind of question, in each of its controls. */
export const KINDS = { title: "Every kind", questions: [
  { id: "one", prompt: "Which language?", options: ["TypeScript", "Rust"], other: true },
  { id: "many", prompt: "Which parts?", options: ["Parser", "Printer"], multi: true, other: true },
  { id: "menu", prompt: "Which region?", options: REGIONS },
  { id: "word", kind: "text", prompt: "In a word?" },
  { id: "long", kind: "text", long: true, prompt: "At length?" },
  { id: "sure", kind: "confirm", prompt: "Are you certain?" },
  { id: "rate", kind: "rating", emoji: true, annotations: { 1: "Bad", 5: "Good" }, prompt: "How good?" },
  { id: "wide", kind: "rating", min: 0, max: 100, prompt: "How much, of 100?" },
  { id: "count", kind: "number", prompt: "How many?" },
  { id: "day", kind: "date", prompt: "Which day?" },
  { id: "time", kind: "time", prompt: "What time?" },
  { id: "moment", kind: "datetime", prompt: "Exactly when?" },
] };

/** What a person does at each question: its id, its words, the control, and the answer. */
export const KIND_STEPS = [
  ["one", "Which language?", "radio", "Rust"],
  ["many", "Which parts?", "checkbox", ["Printer", "Parser"]],
  ["menu", "Which region?", "menu", "Region 9"],
  ["word", "In a word?", "box", "brief"],
  ["long", "At length?", "box", "two\nlines"],
  ["sure", "Are you certain?", "radio", "Yes"],
  ["rate", "How good?", "radio", "4 of 5"],
  ["wide", "How much, of 100?", "box", "64"],
  ["count", "How many?", "box", "2.5"],
  ["day", "Which day?", "date", "2026-03-01"],
  ["time", "What time?", "time", "14:30"],
  ["moment", "Exactly when?", "datetime", "2026-03-01T14:30"],
];

/** The answers of these steps. */
export const KIND_ANSWERS = {
  one: { picks: [{ option: "Rust" }] },
  many: { picks: [{ option: "Printer" }, { option: "Parser" }] },
  menu: { picks: [{ option: "Region 9" }] },
  word: { text: "brief" },
  long: { text: "two\nlines" },
  sure: { confirm: true },
  rate: { rating: 4 },
  wide: { rating: 64 },
  count: { number: 2.5 },
  day: { date: "2026-03-01" },
  time: { time: "14:30" },
  moment: { datetime: "2026-03-01T14:30" },
};

const OPTIONS = [{ label: "Developer", value: "dev" }, { label: "Designer", value: "design" }];
const TYPES = ["text", "textarea", "number", "boolean", "checkbox", "select", "multiselect", "radio", "date", "time", "datetime"];

/** Every type of field, in a form of the interaction format. */
export const FIELDS = { title: "Every type", fields: TYPES.map((type) => ({
  id: type, type, label: `The ${type}`, ...(["select", "multiselect", "radio"].includes(type) ? { options: OPTIONS } : {}),
})) };

export const FIELD_STEPS = [
  ["text", "The text", "box", "a@b.com"],
  ["textarea", "The textarea", "box", "two\nlines"],
  ["number", "The number", "box", "0"],
  ["boolean", "The boolean", "radio", "No"],
  ["checkbox", "The checkbox", "radio", "Yes"],
  ["select", "The select", "radio", "Designer"],
  ["multiselect", "The multiselect", "checkbox", ["Designer", "Developer"]],
  ["radio", "The radio", "radio", "Developer"],
  ["date", "The date", "date", "2026-03-01"],
  ["time", "The time", "time", "09:05"],
  ["datetime", "The datetime", "datetime", "2026-03-01T09:05"],
];

/** The `input` of these steps. */
export const FIELD_INPUT = {
  text: "a@b.com", textarea: "two\nlines", number: 0, boolean: false, checkbox: true, select: "design",
  multiselect: ["design", "dev"], radio: "dev", date: "2026-03-01", time: "09:05", datetime: "2026-03-01T09:05",
};
