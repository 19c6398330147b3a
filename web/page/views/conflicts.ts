import type { SaysoQuestionnaireElement } from "../../src/api.ts";
import { button, h } from "../../src/dom.ts";
import { quote } from "../dom.ts";
import type { Conflict } from "../desk/draft_sync.ts";
import { typedWords } from "../desk/lost_words.ts";
import type { Reply } from "../desk/requests.ts";
import { say } from "../words.ts";

/** Answers that someone else changed, each shown at its question; from elsewhere on the page a line leads there. */
export class Conflicts {
  /** The line, for a question that is not in view. */
  readonly root = h("div", { class: "elsewhere", hidden: true });
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

  /** Shows a conflict at its question; `take` makes the other reply count. */
  show(element: SaysoQuestionnaireElement, { question, mine, theirs, shown }: Conflict, name: string, take: (reply: Reply) => void): void {
    this.#element = element;
    const isMine = shown === "mine";
    const other = isMine ? theirs : mine;
    const notice = h("div", { class: "notice warning", slot: `question-${question}`, role: "status" },
      h("p", {}, say(isMine ? "PageOtherAnswerElsewhere" : "PageYourWordsReplaced", name)),
      quote("blockquote", typedWords(other).join("\n")),
      h("p", { class: "actions" },
        button(say(isMine ? "PageUseOther" : "PageBringBack"), { class: "quiet" }, () => {
          this.#hide(question);
          take(other);
        }),
        button(say("PageKeepThis"), { class: "quiet" }, () => this.#hide(question))));
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
      this.#element?.focusQuestion(question);
      this.#shown.get(question)?.scrollIntoView({ block: "center" });
    });
    this.root.replaceChildren(h("p", {}, say("PageChangedElsewhere", this.#names.get(question) ?? question)), show);
  }
}
