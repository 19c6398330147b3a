// The page of an ask in a conversation: the element, filled by the tool `answer_form` of our server.
import "../src/sayso-questionnaire.ts";
import type { Completion, Problem, Questionnaire, Replies, SaysoQuestionnaireElement } from "../src/api.ts";
import { button, h } from "../src/dom.ts";
import { FormDraft } from "./draft.ts";
import { langOf, speaker, type Lang } from "../src/i18n.ts";
import { Host, type HostContext, type Members, type ToolResult } from "./host.ts";
import * as messages from "./messages.ts";

/** Tool of our server that only this page calls. */
const TOOL = "answer_form";
/** Member of the metadata that only this page reads. */
const FORM = "sayso/form";

/** The ask, as the tool tells it. */
interface FormView {
  ask_id: string;
  status: string;
  questionnaire: Questionnaire;
  shown: string;
  proof: string;
  may_answer: boolean;
  /** What gives no consent may be answered, and goes on at the desk. */
  may_draft?: boolean;
  draft?: Replies;
  /** Revision of the draft. */
  draft_rev?: number;
  page?: string;
  command: string;
  outcome?: Completion;
  problems: Problem[];
  tell?: string;
}

/** The page. */
class AskPage {
  readonly #host = new Host({
    onContext: (context) => this.#follow(context),
    onResult: (result) => void this.#begin(result),
    onCancelled: () => this.#element?.toggleAttribute("disabled", true),
    onTeardown: () => this.#draft.flush(),
  });
  readonly #draft = new FormDraft((draft) => this.#save(draft));
  readonly #notice = h("p", { role: "alert" });
  #element: SaysoQuestionnaireElement | undefined;
  #view: FormView | undefined;
  #proof: string | undefined;
  #lang: Lang = langOf(navigator.language);

  async start(): Promise<void> {
    document.body.append(this.#notice);
    await this.#host.connect();
  }

  #follow({ theme, locale }: HostContext): void {
    if (theme !== undefined) document.documentElement.style.colorScheme = theme;
    if (locale !== undefined) this.#lang = langOf(locale);
    document.documentElement.lang = this.#lang;
  }

  /** Reads the ask of a result: it may have changed since. */
  async #begin({ _meta, structuredContent }: ToolResult): Promise<void> {
    const form = _meta?.[FORM] as { proof?: string } | undefined;
    this.#proof = form?.proof;
    // What was settled at once has no form.
    if (this.#proof === undefined) return;
    const read = this.#host.can("serverTools") && await this.#call({});
    const command = String(structuredContent?.["answer_with"] ?? "sayso");
    if (!read) this.#notice.textContent = speaker(this.#lang)([messages.AnswerThere, command]);
  }

  /** Calls the tool and shows the ask; returns false if the host or the server does not do it. */
  async #call(given: Members): Promise<boolean> {
    const view = await this.#ask(given);
    if (view !== undefined) this.#show(view);
    return view !== undefined;
  }

  async #ask(given: Members): Promise<FormView | undefined> {
    try {
      const result = await this.#host.call(TOOL, { proof: this.#proof, lang: this.#lang, ...given });
      return result.isError === true ? undefined : result.structuredContent as unknown as FormView | undefined;
    } catch {
      return undefined;
    }
  }

  /** Saves what was changed; returns false if it is to be tried again. The proof stays: its age says how long a person had. */
  async #save(draft: Replies): Promise<boolean> {
    const view = await this.#ask({ draft });
    if (view?.outcome !== undefined) this.#show(view);
    else if (view !== undefined) this.#take(view);
    return view !== undefined && view.problems.length === 0;
  }

  /** Shows the draft as the desk has it, with the edits that it does not have: a person sends what they see. */
  #take(view: FormView): void {
    this.#view = view;
    if (this.#element !== undefined && view.draft !== undefined) this.#element.answers = { ...view.draft, ...this.#draft.edits };
  }

  #show(view: FormView): void {
    this.#take(view);
    this.#proof = view.proof;
    this.#draft.begin();
    this.#notice.textContent = "";
    const element = this.#element ?? this.#create(view);
    element.problems = view.problems;
    element.draftOnly = !view.may_answer && view.may_draft === true;
    element.disabled = !view.may_answer && !element.draftOnly;
    element.replaceChildren(...(view.may_answer ? [] : [this.#wayToDesk(view)]));
    if (view.outcome !== undefined) {
      this.#draft.forget();
      element.completed = view.outcome;
    }
    if (view.tell !== undefined && this.#host.can("message")) void this.#host.say(view.tell).catch(() => undefined);
  }

  #create(view: FormView): SaysoQuestionnaireElement {
    const element = h("sayso-questionnaire", {});
    element.lang = this.#lang;
    element.request = view.questionnaire;
    element.answers = view.draft ?? {};
    element.formNote = true;
    // Several answers are shown once more, in words, before they are sent.
    element.review = (view.questionnaire.questions?.length ?? 0) + (view.questionnaire.sections?.length ?? 0) > 1;
    element.addEventListener("sayso-change", ({ detail: { answers, changed } }) => {
      for (const id of changed) this.#draft.edit(id, answers[id] ?? { state: "unanswered" });
    });
    element.addEventListener("sayso-submit", ({ detail }) => {
      const asked = Object.entries(detail.replies).filter(([, { state }]) => state !== "not_asked");
      const { seen } = detail;
      void this.#send({ replies: Object.fromEntries(asked) satisfies Replies, ...(seen === undefined ? {} : { seen }) });
    });
    element.addEventListener("sayso-decline", ({ detail }) => void this.#send({ decline: detail }));
    document.body.prepend(element);
    this.#element = element;
    return element;
  }

  async #send(given: Members): Promise<void> {
    const element = this.#element;
    if (element === undefined || this.#view === undefined || element.busy) return;
    element.busy = true;
    const before = JSON.stringify(element.answers);
    // What is sent has all that was typed; a save that comes after it would be a draft of something that is over.
    await this.#draft.stop();
    // The last save may have brought someone else's change, which the person reads first.
    const isShown = JSON.stringify(element.answers) === before;
    const { shown, draft_rev, command } = this.#view;
    const sent = isShown && await this.#call({ shown, draft_rev, ...given });
    element.busy = false;
    if (!sent) this.#notice.textContent = speaker(this.#lang)(isShown ? [messages.AnswerLost, command] : [messages.AnswersChanged]);
  }

  /** Returns what a person reads where the page does not answer. */
  #wayToDesk({ page, command, may_draft: mayDraft }: FormView): HTMLElement {
    const say = speaker(this.#lang);
    const way = h("span", { slot: "hint" }, say([mayDraft === true ? messages.ConsentThere : messages.AnswerThere, command]));
    if (page !== undefined) {
      const open = button(say(messages.AnswerAtDesk), {}, () => void this.#leadToDesk(page));
      way.append(" ", this.#host.can("openLinks") ? open : h("a", { href: page, target: "_blank", rel: "noopener" }, page));
    }
    return way;
  }

  /** Opens the ask at its desk once the desk has what was typed here. */
  async #leadToDesk(page: string): Promise<void> {
    await this.#draft.flush();
    await this.#host.open(page).catch(() => undefined);
  }
}

void new AskPage().start();
