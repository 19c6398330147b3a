// The buttons under a form: on, back, past a section, and no.
import { escapeLine } from "../text/display.ts";
import { button, fill, h, set, write } from "../dom.ts";
import type { Form } from "../form.ts";
import type { Say } from "../i18n.ts";
import type { Steps } from "../steps.ts";
import type { ViewEvents, ViewOptions } from "../view.ts";
import * as messages from "../messages.ts";

/** The row of buttons. */
export class ButtonRow {
  root: HTMLElement;
  /** Leads on: to the next step, or sends. */
  primary: HTMLButtonElement;
  #form: Form;
  #say: Say;
  #back: HTMLButtonElement;
  #skip: HTMLButtonElement;
  decline: HTMLButtonElement;
  #legend = h("p", { class: "legend" });
  #row: HTMLElement;
  #desk = h("p", { class: "desk" });
  #isLast = true;

  constructor(form: Form, say: Say, events: ViewEvents, decline: (opener: HTMLElement) => void) {
    this.#form = form;
    this.#say = say;
    this.primary = button("", { class: "primary" }, () => {
      if (form.isPermission) events.approve();
      else if (this.#isLast) events.submit(false);
      else events.next();
    });
    this.#back = button(say(messages.BackStep), { part: "back" }, () => events.go(-1));
    this.#skip = button(say(messages.SkipSection), {}, () => events.skip());
    const own = form.isPermission ? undefined : label(form.request.cancel);
    this.decline = button(own === undefined ? say(messages.DeclineButton) : escapeLine(own), { part: "decline", class: form.isPermission ? "" : "quiet" }, () => decline(this.decline));
    this.#row = h("div", { class: "buttons", part: "buttons" }, this.primary, this.#back, this.#skip, this.decline);
    this.root = h("div", { class: "foot" }, this.#row, this.#legend, this.#desk);
  }

  get isHidden(): boolean {
    return this.#row.hidden !== false;
  }

  show(steps: Steps, options: ViewOptions, isOpen: boolean): void {
    const say = this.#say;
    const { submit, cancel } = this.#form.request;
    const section = this.#form.steps[steps.current];
    this.#isLast = steps.place === steps.all.length - 1;
    const isReviewNext = this.#isLast && options.isReviewed || !this.#isLast && steps.all[steps.place + 1] === steps.review;
    const { isPermission } = this.#form;
    const own = isPermission ? undefined : label(section?.submit) ?? (this.#isLast ? label(submit) : undefined);
    const words = own !== undefined ? escapeLine(own) : say([isPermission ? messages.ApproveLabel : isReviewNext ? messages.ReviewNext : this.#isLast ? messages.SubmitLabel : messages.NextStep]);
    write(this.primary, options.busy ? say(messages.SendingNow) : words);
    set(this.primary, { part: this.#isLast ? "submit" : "next", "aria-disabled": options.busy && "true" });
    set(this.decline, { "aria-disabled": options.busy && "true" });
    this.#back.hidden = steps.place === 0;
    this.#skip.hidden = this.#isLast && steps.all.length < 2 || section?.optional !== true;
    this.#row.hidden = !isOpen;
    // Whatever the asker calls its buttons, our own words say what they do.
    const says = [
      this.#isLast && own !== undefined ? say([isReviewNext ? messages.SubmitReviews : messages.SubmitSends, own]) : "",
      isPermission || label(cancel) === undefined ? "" : say([messages.CancelLabelDeclines, label(cancel) ?? ""]),
    ].filter((sentence) => sentence !== "");
    write(this.#legend, isOpen ? says.join(" · ") : "");
    this.#showDesk(options.completion === null ? options.deskLink : undefined);
  }

  #showDesk(link: string | undefined): void {
    const say = this.#say;
    this.#desk.hidden = link === undefined;
    if (link === undefined) return;
    fill(this.#desk, h("a", { href: link, target: "_blank", rel: "noopener" }, say(messages.DeskConsent)));
  }
}

function label(words: string | undefined): string | undefined {
  const trimmed = words?.trim() ?? "";
  return trimmed === "" ? undefined : trimmed;
}
