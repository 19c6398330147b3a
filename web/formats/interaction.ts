// Interaction requests for pages without a desk: into Sayso's own JSON, and answers back. The desk's own translation is
// crates/dialects/src/interaction; a test holds the two against each other.
import type { Reply } from "../../schemas/sayso/outcome.ts";
import type { Answer, Constraint, KindName, Pick, Question, Questionnaire, Rules } from "../../schemas/sayso/request.ts";
import type { Problem } from "../src/api.ts";
import { escapeLine, quotable } from "../src/text/display.ts";
import { assignIds, assignOptionIds } from "./ids.ts";

/** One field of a form. */
export interface InteractionField {
  id: string;
  type: string;
  label: string;
  description?: string;
  required?: boolean;
  placeholder?: string;
  defaultValue?: unknown;
  validateOnClient?: boolean;
  options?: { label: string; value: string }[];
  min?: number;
  max?: number;
  step?: number;
  minLength?: number;
  maxLength?: number;
  pattern?: string;
}

/** A form. */
export interface InteractionSchema {
  title?: string;
  description?: string;
  fields?: InteractionField[];
  sections?: { id: string; title?: string; description?: string; fields: InteractionField[]; optional?: boolean; submitLabel?: string }[];
  submitLabel?: string;
  cancelLabel?: string;
  initialValues?: Record<string, unknown>;
}

/** A request, a tool's arguments, or a form alone. */
export interface InteractionRequest extends InteractionSchema {
  prompt?: string;
  inputSchema?: InteractionSchema;
  schema?: InteractionSchema;
  completedView?: { showInputs?: boolean; summaryTemplate?: string };
  validate?: boolean;
  strict?: boolean;
  errorSummary?: string;
  fieldErrors?: Record<string, string>;
  interactionType?: "input" | "approval";
  toolName?: string;
  approvalScopes?: ApprovalScope[];
  presentation?: string;
}

/** How far an approval reaches. */
export type ApprovalScope = "once" | "session" | "always";

/** Answer to an approval. */
export interface ApprovalResponse {
  action: "approve" | "deny";
  approvalScope?: ApprovalScope;
}

const SCOPES: Record<ApprovalScope, string> = { once: "Allow once", session: "Allow for session", always: "Always allow" };

/** Makes the buttons of an approval. The first press gives the answer, and locks them all. */
export function createApproval({ prompt, toolName, approvalScopes: scopes = ["once", "session"], presentation }: InteractionRequest, answer: (response: ApprovalResponse) => void): HTMLElement {
  const words = document.createElement("p");
  words.textContent = escapeLine(prompt ?? `Allow "${quotable(toolName ?? "")}"?`);
  const root = document.createElement("div");
  root.role = "group";
  const responses: [string, ApprovalResponse][] = [["Deny", { action: "deny" }]];
  // A scope that the spec does not have is no button.
  for (const scope of scopes.filter((one) => Object.hasOwn(SCOPES, one))) {
    const label = presentation === "composer" && scope === "once" ? "Approve" : SCOPES[scope];
    responses.push([label, { action: "approve", approvalScope: scope }]);
  }
  const buttons = responses.map(([label, response]) => {
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = label;
    // A key that is held down was meant for something else.
    button.addEventListener("keydown", (event) => event.repeat && event.preventDefault());
    button.addEventListener("click", () => {
      for (const one of buttons) one.disabled = true;
      answer(response);
    });
    return button;
  });
  root.append(words, ...buttons);
  return root;
}

const [TEXT, OPTION, DATE] = ["Enter a valid text value.", "Select a valid option.", "Enter a valid date/time value."];
const KINDS: Record<string, [KindName, string]> = {
  text: ["text", TEXT], textarea: ["text", TEXT],
  number: ["number", "Enter a valid number."],
  boolean: ["confirm", OPTION], checkbox: ["confirm", OPTION],
  select: ["choice", OPTION], radio: ["choice", OPTION], multiselect: ["choice", "Select valid options."],
  date: ["date", DATE], time: ["time", DATE], datetime: ["datetime", DATE],
};

/** Returns a request in Sayso's own format; null for one without a form, of which nothing is shown. */
export function toSayso(request: InteractionRequest): Questionnaire | null {
  const { schema, inputSchema, prompt, completedView: view, validate, strict } = request;
  const form = inputSchema ?? schema ?? request;
  if (request.interactionType === "approval" || !(form.fields?.length || form.sections?.length)) return null;
  const sections = form.fields?.length ? [] : form.sections ?? [];
  const fields = form.fields?.length ? form.fields : sections.flatMap((section) => section.fields);
  const rules: Rules = {
    length_unit: "utf16", trim_text: false, repeated_picks: true, must_be_true: true,
    loose_dates: !strict, unjudged: validate === false,
  };
  const ids = assignIds(fields.map(({ id }) => id), "q", 0);
  const isFurther = toProblems(request).length > 0;
  const given = new Map(Object.entries(form.initialValues ?? {}));
  const value = ({ id, defaultValue }: InteractionField) =>
    given.has(id) || isFurther ? given.get(id) : defaultValue;
  const questions = fields.map((field, index) => questionOf(field, ids[index], value(field), rules));
  const sectionIds = assignIds(sections.map(({ id }) => id), "s", 0);
  const context = [prompt?.trim() || undefined, form.description].filter((text) => text !== undefined);
  return defined({
    title: form.title,
    context: context.length > 0 ? context.join("\n\n") : undefined,
    questions: sections.length > 0 ? undefined : questions,
    sections: sections.length > 0 ? sections.map(({ id, title, description, optional, submitLabel, fields: own }, index) =>
      defined({ id: sectionIds[index] ?? id, title, detail: description, optional, submit: submitLabel, questions: questions.splice(0, own.length) })) : undefined,
    submit: form.submitLabel,
    cancel: form.cancelLabel,
    completed: view === undefined ? undefined : defined({ answers: view.showInputs ?? true, summary: view.summaryTemplate }),
    rules,
  }) as Questionnaire;
}

function defined<Members extends object>(members: Members): Members {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as Members;
}

function questionOf(field: InteractionField, id: string | undefined, value: unknown, rules: Rules): Question {
  const [kind = "text"] = KINDS[field.type] ?? [];
  const isNumber = field.type === "number";
  const question = defined({
    id: id ?? field.id,
    key: id === undefined ? undefined : field.id,
    kind,
    prompt: field.label,
    detail: field.description,
    required: field.required ?? false,
    unchecked: field.validateOnClient === false,
    placeholder: field.placeholder,
    options: kind === "choice" ? assignOptionIds(field.options ?? []) : undefined,
    multi: field.type === "multiselect" || undefined,
    long: field.type === "textarea" || undefined,
    step: isNumber && Number(field.step) > 0 ? field.step : undefined,
    constraints: constraintsOf(field),
  }) as Question;
  const prefill = answerOf(question, value, rules);
  return prefill === undefined ? question : { ...question, prefill };
}

function constraintsOf(field: InteractionField): Constraint[] {
  const [kind, message = ""] = KINDS[field.type] ?? [];
  const { required, pattern, minLength, maxLength, min, max } = field;
  const [isText, isNumber] = [kind === "text", kind === "number"];
  const all: (Constraint | false | undefined)[] = [
    required && { required: true, message: "This field is required." },
    { fits: true, message },
    isText && Boolean(pattern) && { pattern: pattern ?? "", message: "Invalid format." },
    isText && maxLength !== undefined && { max_length: maxLength, message: `Must be at most ${maxLength} characters.` },
    isText && minLength !== undefined && { min_length: minLength, message: `Must be at least ${minLength} characters.` },
    isNumber && max !== undefined && { max, message: `Must be at most ${max}.` },
    isNumber && min !== undefined && { min, message: `Must be at least ${min}.` },
  ];
  return all.filter((constraint) => typeof constraint === "object");
}

/** Dates and times as controls send them; other spellings stay text. */
const SHAPES: Partial<Record<KindName, RegExp>> = {
  date: /^[\d-]{10}$/,
  time: /^[\d:]{5}(:\d\d)?$/,
  datetime: /^[\d-]{10}T[\d:]{5}(:\d\d)?(Z|[+-][\d:]{5})?$/,
};

/** Returns an initial value as an answer, if it is one. */
function answerOf(question: Question, value: unknown, rules: Rules): Answer | undefined {
  if (question.kind === "choice") {
    const values: unknown[] = Array.isArray(value) === (question.multi === true) ? [value].flat() : [];
    const picks = values.flatMap((one): Pick[] => {
      const option = question.options?.find((known) => typeof known === "object" && (known.value ?? known.id) === one);
      return typeof option === "object" && option.id !== undefined ? [{ option: option.id }] : [];
    });
    return picks.length > 0 && picks.length === values.length ? { picks } : undefined;
  }
  const { kind = "text" } = question;
  if (typeof value === "number" && kind === "number") return { number: value };
  if (typeof value === "boolean" && kind === "confirm") return { confirm: value };
  if (typeof value !== "string") return undefined;
  if (kind === "text") return { text: value };
  if (!value.trim()) return undefined;
  const moment = kind === "time" ? `2000-01-01T${value}` : value;
  const isExact = SHAPES[kind]?.test(value) && !/:00(:00|:00Z|:00[+-].*)$/.test(value) && !Number.isNaN(Date.parse(moment));
  if (isExact) return { [kind]: value } as Answer;
  return SHAPES[kind] !== undefined && rules.loose_dates === true ? { text: value } : undefined;
}

/** Returns the replies of a response's `input`; of a reprompt without it those that the person submitted. */
export function toReplies(request: InteractionRequest, input?: Record<string, unknown>): Record<string, Reply> {
  const form = request.inputSchema ?? request.schema ?? request;
  const given = { ...request, errorSummary: "", inputSchema: { ...form, initialValues: input ?? form.initialValues ?? {} } };
  const { questions, sections = [] } = toSayso(given) ?? {};
  const all = questions ?? sections.flatMap((section) => section.questions);
  return Object.fromEntries(all.map(({ id = "", prefill }) => [id, prefill === undefined ? { state: "unanswered" } : { state: "answered", answer: prefill }]));
}

/** Returns the `input` of a response. What was not answered is left out. */
export function toInput(request: Questionnaire, replies: Record<string, Reply>): Record<string, unknown> {
  const given = new Map(Object.entries(replies));
  const questions = request.questions ?? request.sections?.flatMap((section) => section.questions) ?? [];
  const entries = questions.map((question) => {
    const answer = given.get(question.id ?? "")?.answer;
    return [question.key ?? question.id ?? "", answer === undefined ? undefined : valueOf(question, answer)] as const;
  });
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined));
}

function valueOf(question: Question, answer: Answer): unknown {
  if (!("picks" in answer)) {
    const [value] = Object.values(answer);
    if ("number" in answer) return Number(value);
    return "time" in answer || "datetime" in answer ? String(value).replace(/(:\d\d):00(?![\d.])/, "$1") : value;
  }
  const values = answer.picks.map((pick) => {
    if ("other" in pick) return pick.other;
    const option = question.options?.find((one) => typeof one === "object" && one.id === pick.option);
    return (typeof option === "object" ? option.value : undefined) ?? pick.option;
  });
  return question.multi === true ? values : values[0];
}

/** Returns the problems of a reprompt. */
export function toProblems({ errorSummary, fieldErrors }: InteractionRequest): Problem[] {
  const errors = Object.entries(fieldErrors ?? {}).map(([id, detail]) => ({ path: ["answers", id], detail }));
  const summary = errorSummary ?? (errors[0] && "Please correct the highlighted fields.");
  return summary === undefined ? [] : [{ detail: summary }, ...errors];
}
