import type { Completion, SaysoQuestionnaireElement } from "../../src/api.ts";
import type { Ask } from "../desk/requests.ts";
import { h } from "../../src/dom.ts";
import { quote } from "../dom.ts";
import { isBare } from "../element.ts";
import { askerInSentence } from "./asker.ts";
import { moment } from "../times.ts";
import { say } from "../words.ts";

/** Places where an answer was given, by their names in a receipt. */
const SURFACES: Record<string, string> = {
  command: "SurfaceCommand",
  dialog: "SurfaceDialog",
  element: "SurfaceElement",
  http: "SurfaceHttp",
  inbox: "SurfaceInbox",
  page: "SurfacePage",
  pipe: "SurfacePipe",
  prompter: "SurfacePrompter",
};

/** Sentences about why the host of an asker ended an ask, by their names in an outcome. */
const HOST_ENDS: Record<string, string> = {
  answered_in_host: "AnsweredInHost",
  given_back: "GivenBackToHost",
  host_ended: "HostEnded",
  session_ended: "HostSessionEnded",
};

/** Returns why an ask ended: in the words of the person who declined, or in ours for a host that withdrew it. */
function reasonOf({ state, phase, asker }: Ask): HTMLElement | undefined {
  const reason = phase.settled?.reason;
  if (!reason) return undefined;
  if (state !== "cancelled") return h("p", {}, `${say("PageReason")} `, quote("q", reason));
  const sentence = HOST_ENDS[reason];
  return sentence === undefined ? undefined : h("p", { class: "why" }, say(sentence, askerInSentence({ name: asker.name })));
}

function headline(ask: Ask, agent: string, element: SaysoQuestionnaireElement): [string, string] {
  const settled = ask.phase.settled;
  const at = settled?.receipt?.at ?? settled?.at;
  const when = at ? moment(at) : "";
  switch (ask.state) {
    case "submitted":
      return ["wait", say("PageAwaitsVerdict", agent)];
    case "answered": {
      const decision = element.decision(settled?.replies ?? {});
      const words = decision === undefined ? "PageAnsweredBy" : decision ? "PageAllowedBy" : "PageAnsweredNoBy";
      return [decision === false ? "declined" : "done", say(words, settled?.receipt?.by ?? "", when)];
    }
    case "declined":
      return ["declined", say("PageDeclinedBy", settled?.receipt?.by ?? "", when)];
    case "cancelled":
      return ["ended", say("PageCancelledAt", when)];
    default:
      return ["ended", say("PageExpiredAt", when)];
  }
}

function delivery(ask: Ask, agent: string): string | undefined {
  if (ask.state !== "answered" && ask.state !== "declined") return undefined;
  const acked = typeof ask.delivery === "object" && ask.delivery !== null && "acked" in ask.delivery;
  return acked ? say("PageDelivered", agent) : say("PageKeptForAgent", agent);
}

/** Returns what was asked as it was shown, with the answers where the asker shows them. */
function record({ questionnaire, phase }: Pick<Ask, "questionnaire" | "phase">): SaysoQuestionnaireElement {
  const element = document.createElement("sayso-questionnaire");
  element.classList.toggle("bare", isBare(questionnaire));
  element.request = questionnaire;
  element.completed = phase.submitted === undefined
    ? phase.settled as Completion
    : { outcome: "answered", replies: phase.submitted.submission.replies };
  return element;
}

/** Creates the page of an ask that has ended, or whose answer its asker checks: who answered, when, what, and with what. */
export function receiptView(ask: Ask, agent: string): HTMLElement {
  const element = record(ask);
  const [tone, words] = headline(ask, agent, element);
  const view = h("section", { class: `receipt ${tone}`, tabindex: -1 });
  view.append(h("h2", { class: "stamp", id: "stamp" }, words));
  view.append(reasonOf(ask) ?? "");
  const receipt = ask.phase.settled?.receipt;
  const surface = SURFACES[receipt?.surface ?? ""];
  if (surface) view.append(h("p", { class: "delivery" }, say("PageReceiptSurface", say(surface))));
  const fetched = delivery(ask, agent);
  if (fetched) view.append(h("p", { class: "delivery" }, fetched));
  if (receipt?.seen) {
    const { shown, total } = receipt.seen;
    view.append(h("p", { class: "delivery" }, say("LinesNotShown", total - shown, total)));
  }
  view.append(element);
  if (receipt) {
    const details = h("details", {}, h("summary", {}, say("PageReceiptDetails")));
    details.append(h("p", {}, say("PageShownDigest")), h("code", { class: "digest" }, receipt.shown));
    const { questionnaire, phase } = ask;
    const { completed } = questionnaire;
    // The record is whole, also if the asker shows no answers.
    if (completed?.answers === false) details.append(record({ phase, questionnaire: { ...questionnaire, completed: { answers: true } } }));
    view.append(details);
  }
  return view;
}
