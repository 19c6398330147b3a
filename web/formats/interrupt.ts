// Interrupts of a thread for pages without a desk: into Sayso's own JSON, and decisions back. The desk's own translation
// is crates/dialects/src/interrupt; a test holds the two against each other.
import type { Reply } from "../../schemas/sayso/outcome.ts";
import type { Action, Question, Questionnaire } from "../../schemas/sayso/request.ts";
import { agreeing, refusing } from "./consent.ts";
import { assignOptionIds } from "./ids.ts";

/** An option of a question. */
export interface InterruptOption {
  label: string;
  value: string;
  allow_custom?: boolean;
}

/** Data of an interrupt event. */
export interface Interrupt {
  info?: string | null;
  taskName?: string | null;
  data?: { action_requests?: { name: string; args?: Record<string, unknown> | null }[] | null } | null;
  questions?: { question: string; options: InterruptOption[] }[] | null;
  options?: (string | { label: string; value?: string | null })[] | null;
}

/** Body of a resume request. */
export type Resume = { action: "continue" } | { action: "cancel"; reason?: string } | { action: "answer"; answers: string[] };

const CUSTOM = "__custom__";
const TASKS: Record<string, string> = { execute: "执行命令", write_file: "写入文件", ask_user: "用户问答" };

/** Returns the data of an interrupt event in Sayso's own format. */
export function toSayso(interrupt: Interrupt): Questionnaire {
  const { info, taskName, data } = interrupt;
  const call = data?.action_requests?.[0];
  const request: Questionnaire = {};
  if (taskName != null) request.title = taskName;
  if (info != null) request.context = info;
  if (call !== undefined && call.name !== "ask_user") request.action = { tool: call.name, act: actOf(call.name, call.args ?? {}) };
  const asked = questionsOf(interrupt);
  request.questions = asked.length > 0 ? asked.map(questionOf) : [approvalOf(interrupt, request)];
  const reserved = asked.flatMap(({ options }) => {
    const custom = options.filter(isCustom).map(({ value }) => value.trim()).filter((value) => value !== "");
    return options.some(isCustom) ? [CUSTOM, ...custom] : [];
  });
  if (reserved.length > 0) request.rules = { reserved: [...new Set(reserved)] };
  return request;
}

function questionsOf({ questions, data }: Interrupt): NonNullable<Interrupt["questions"]> {
  if (questions != null && questions.length > 0) return questions;
  const call = data?.action_requests?.[0];
  const own = call?.name === "ask_user" ? call.args?.["questions"] : undefined;
  return Array.isArray(own) ? own : [];
}

function isCustom(option: InterruptOption): boolean {
  return option.allow_custom === true;
}

function questionOf({ question, options }: { question: string; options: InterruptOption[] }, index: number): Question {
  const at = options.findIndex(isCustom);
  const listed = assignOptionIds(options.filter((option) => !isCustom(option)));
  const own = at < 0 ? {} : { other: true, other_label: options[at]?.label ?? "", ...(at < listed.length ? { other_at: at } : {}) };
  return { id: `q${index}`, kind: "choice", prompt: question, options: listed, ...own };
}

/** Members that say all of a call, so that it can be shown as what it is. */
const EXACT: Record<string, string[]> = {
  execute: ["command"], write_file: ["file_path", "content"], edit_file: ["file_path", "diff"],
};

function actOf(tool: string, args: Record<string, unknown>): Action["act"] {
  const names = Object.hasOwn(EXACT, tool) ? EXACT[tool] ?? [] : [];
  const texts = names.map((name) => args[name]).filter((text) => typeof text === "string");
  const [first = "", second = ""] = texts;
  if (names.length === 0 || texts.length !== names.length || Object.keys(args).length !== names.length) {
    return { call: { arguments: JSON.stringify(args) } };
  }
  if (tool === "execute") return { shell: { command: first } };
  return tool === "write_file" ? { write: { path: first, content: second } } : { edit: { path: first, diff: second } };
}

interface Labelled {
  label: string;
  value: string | undefined;
}

function optionsOf({ options }: Interrupt): Labelled[] {
  return (options ?? []).map((option) => (typeof option === "string" ? { label: option, value: undefined } : { label: option.label, value: option.value ?? undefined }));
}

function says(words: readonly string[], { label, value }: Labelled): boolean {
  return [label, value].some((text) => text !== undefined && words.includes(text.trim().toLowerCase()));
}

/** Returns the place of the option that continues: the only one that agrees, and does not refuse. */
function continuing(options: readonly Labelled[]): number {
  const agree = options.filter((option) => says(agreeing, option));
  const [only] = agree;
  return agree.length === 1 && only !== undefined && !says(refusing, only) ? options.indexOf(only) : -1;
}

function approvalOf(interrupt: Interrupt, { title, context, action }: Questionnaire): Question {
  const tool = action === undefined ? "" : TASKS[action.tool] ?? action.tool;
  const name = title?.trim() ? title : tool;
  const question: Question = { id: "q0", kind: "confirm", prompt: name.trim() ? `${name}?` : context ?? "" };
  const options = optionsOf(interrupt);
  const [yes, no] = options;
  if (yes === undefined) return question;
  if (continuing(options) === 0 && options.length === 1) return { ...question, yes: yes.label };
  if (continuing(options) === 0 && options.length === 2 && no !== undefined && says(refusing, no) && no.label !== yes.label) {
    return { ...question, yes: yes.label, no: no.label };
  }
  return { ...question, kind: "choice", options: assignOptionIds(options.map(({ label, value }) => ({ label, value: value ?? label }))) };
}

/** Returns the decision that resumes the thread. */
export function toResume(interrupt: Interrupt, replies: Record<string, Reply>): Resume {
  const request = toSayso(interrupt);
  const answers = (request.questions ?? []).map((question) => {
    const answer = replies[question.id ?? ""]?.answer;
    if (answer === undefined) return "";
    if ("confirm" in answer) return answer.confirm ? "continue" : "cancel";
    const [pick] = "picks" in answer ? answer.picks : [];
    if (pick === undefined) return "";
    if ("other" in pick) return pick.other.trim();
    const option = question.options?.find((one) => typeof one === "object" && one.id === pick.option);
    return (typeof option === "object" ? option.value : undefined) ?? pick.option;
  });
  if (questionsOf(interrupt).length > 0) return { action: "answer", answers };
  const options = optionsOf(interrupt);
  const agreed = options[continuing(options)];
  const [answer] = answers;
  // Where it is unclear which option continues, the picked one decides.
  if (request.questions?.[0]?.kind === "choice" && agreed === undefined && answer) return { action: "answer", answers };
  const goesOn = request.questions?.[0]?.kind === "confirm" ? answer === "continue" : agreed !== undefined && answer === (agreed.value ?? agreed.label);
  if (goesOn) return { action: "continue" };
  const reason = replies["q0"]?.note?.trim();
  return { action: "cancel", ...(reason ? { reason } : {}) };
}
