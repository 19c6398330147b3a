import type { SaysoQuestionnaireElement } from "../../src/api.ts";
import { button, h } from "../../src/dom.ts";
import { quote } from "../dom.ts";
import type { Conflict } from "../desk/draft_sync.ts";
import type { FormQuestion } from "../../src/form.ts";
import { langOf, speaker } from "../../src/i18n.ts";
import { describeAnswer } from "../../src/text/describe.ts";
import { questionName } from "../../src/views/answers.ts";
import type { Reply } from "../desk/requests.ts";
import { say } from "../words.ts";

/** What a person can do about someone else's answer. */
export interface ConflictActions {
  /** Shows the questions, on which the answer is. */
  showQuestions(): void;
  /** Makes this reply count. */
  take(question: string, reply: Reply): void;
  /** The person has decided. */
  settle(question: string): void;
}

/** Answers that someone else changed, each shown at its question; from elsewhere on the page a line leads there. */
export class Conflicts {
  /** The line, for a question that is not in view. */
  readonly root = h("div", { class: "elsewhere", role: "status", hidden: true });
  readonly #actions: ConflictActions;
  readonly #shown = new Map<string, HTMLElement>();
  readonly #hidden = new Set<string>();
  readonly #names = new Map<string, string>();
  #element: SaysoQuestionnaireElement | undefined;
  readonly #observer = new IntersectionObserver((entries) => {
    for (const { target, isIntersecting } of entries) {
      const question = (target as HTMLElement).dataset.question ?? "";
      if (isIntersecting || !target.isConnected) this.#hidden.delete(question);
      else this.#hidden.add(question);
    }
    this.#showLine();
  });

  constructor(actions: ConflictActions) {
    this.#actions = actions;
  }

  /** Shows a conflict at its question; without one it is about the note on the whole form. */
  show(element: SaysoQuestionnaireElement, { question, mine, theirs, shown }: Conflict, asked: FormQuestion | undefined): void {
    this.#element = element;
    const isConsent = !element.agrees({}) && element.agrees({ [question]: { state: "answered", answer: { confirm: true } } });
    const name = asked === undefined ? say("FormNoteLabel") : questionName(asked, speakHere());
    const isMine = shown === "mine";
    const other = isMine ? theirs : mine;
    const notice = h("div", { class: "notice warning", slot: `question-${question}`, role: "status" },
      h("p", {}, say(isMine ? "PageOtherAnswerElsewhere" : "PageYourWordsReplaced", name)),
      quote("blockquote", replyWords(asked, other)),
      // Consent is given at the question itself.
      h("p", { class: "actions" },
        isConsent ? "" : button(say(isMine ? "PageUseOther" : "PageBringBack"), { class: "quiet" }, () => {
          this.#decide(question);
          this.#actions.take(question, other);
        }),
        button(say(isConsent ? "PageKeysClose" : "PageKeepThis"), { class: "quiet" }, () => this.#decide(question))));
    notice.dataset.question = question;
    this.#hide(question);
    this.#names.set(question, name);
    this.#shown.set(question, notice);
    element.append(notice);
    this.#observer.observe(notice);
  }

  /** Forgets all of them. */
  clear(): void {
    [...this.#shown.keys()].forEach((question) => this.#hide(question));
  }

  #decide(question: string): void {
    this.#hide(question);
    this.#actions.settle(question);
    this.#element?.focusQuestion(question);
  }

  #hide(question: string): void {
    const notice = this.#shown.get(question);
    if (!notice) return;
    this.#observer.unobserve(notice);
    notice.remove();
    this.#shown.delete(question);
    this.#hidden.delete(question);
    this.#showLine();
  }

  #showLine(): void {
    const [question] = this.#hidden;
    this.root.hidden = question === undefined;
    if (question === undefined) return;
    const show = button(say("PageShowChange"), { class: "quiet" }, () => {
      this.#actions.showQuestions();
      this.#element?.focusQuestion(question);
      this.#shown.get(question)?.scrollIntoView({ block: "center" });
    });
    this.root.replaceChildren(h("p", {}, say("PageChangedElsewhere", this.#names.get(question) ?? question)), show);
  }
}

const speakHere = () => speaker(langOf(document.documentElement.lang));

/** Returns a reply in words: the answer, and what was written beside it. */
function replyWords(question: FormQuestion | undefined, { answer, aside, note }: Reply): string {
  const words = question && answer ? describeAnswer(question, answer, speakHere()) : "";
  return [words, aside, note].filter((text) => text?.trim()).join("\n");
}
