// A choice: radio buttons or check boxes, with an own answer among them.
import type { Pick } from "../../../schemas/sayso/request.ts";
import { escapeLines } from "../text/display.ts";
import { h, set, write } from "../dom.ts";
import { boundOf, suggests, type ChoiceOption, type FormQuestion } from "../form.ts";
import type { Say } from "../i18n.ts";
import { inlineMarkdown, markdown, plainText } from "../text/markdown.ts";
import { hasOther } from "../rules/judge.ts";
import { createMenu, isMenu, SEARCHED } from "./choice_menu.ts";
import type { Context, Control, ControlView, CreateControl } from "./control.ts";
import * as messages from "../messages.ts";

/** Makes the control of a choice. */
export const create: CreateControl<FormQuestion> = (question, context) =>
  isMenu(question) ? createMenu(question, context) : new ChoiceList(question, context);

/** An item that can be picked. */
interface Item {
  input: HTMLInputElement;
  /** The option; undefined is the own answer. */
  option: ChoiceOption | undefined;
}

class ChoiceList implements Control {
  root: HTMLElement;
  group: "group" | "radiogroup";
  #items: Item[] = [];
  #picks: readonly Pick[] = [];
  #own = h("input", { type: "text", class: "own", part: "input", autocomplete: "off", dir: "auto" });
  #question: FormQuestion;
  #context: Context;

  constructor(question: FormQuestion, context: Context) {
    this.#question = question;
    this.#context = context;
    this.group = question.multi === true ? "group" : "radiogroup";
    const areAlike = new Set(question.options.map(({ label }) => plainText(label))).size < question.options.length;
    const rows = question.options.map((option, index) => this.#optionRow(option, areAlike ? index + 1 : undefined));
    if (hasOther(question)) rows.splice(question.other_at ?? rows.length, 0, this.#ownRow());
    const search = question.options.length > SEARCHED ? this.#createSearch(rows) : [];
    this.root = h("div", { class: "options", dir: "auto" }, ...search, ...rows);
  }

  /** Creates the box that hides what does not fit; what is picked stays in sight. */
  #createSearch(rows: HTMLElement[]): HTMLElement[] {
    const words = this.#context.say(messages.SearchOptions);
    const search = h("input", { type: "search", part: "input", class: "search", autocomplete: "off", dir: "auto", placeholder: words, "aria-label": words, "aria-describedby": this.#context.labelledBy });
    // With a direction of its own it does not decide that of the list.
    const none = h("p", { class: "none", role: "status", dir: "auto" });
    const filter = () => {
      const wanted = search.value.trim().toLowerCase();
      const found = rows.filter((row) => (row.textContent ?? "").toLowerCase().includes(wanted));
      for (const row of rows) row.hidden = !row.querySelector(":checked") && !found.includes(row);
      write(none, found.length > 0 ? "" : this.#context.say([messages.NothingFits]));
    };
    // What an input method has not finished is no word to search.
    search.addEventListener("input", (event) => {
      if (!(event instanceof InputEvent && event.isComposing)) filter();
    });
    search.addEventListener("compositionend", filter);
    return [search, none];
  }

  show({ reply, locked, invalid }: ControlView): void {
    this.#picks = reply.answer !== undefined && "picks" in reply.answer ? reply.answer.picks : [];
    for (const { input, option } of this.#items) {
      input.checked = this.#picks.some((pick) => isPickOf(pick, option));
      input.disabled = locked;
      // What was picked elsewhere is in sight, also if a search has hidden it.
      const row = input.closest<HTMLElement>("[hidden]");
      if (input.checked && row?.matches(".option")) row.hidden = false;
      if (input.type === "checkbox") set(input, { "aria-invalid": invalid && "true" });
    }
    const own = this.#picks.find((pick) => "other" in pick)?.other ?? reply.aside ?? "";
    if (this.#own.value !== own) this.#own.value = own;
    this.#own.readOnly = locked;
  }

  #optionRow(option: ChoiceOption, number: number | undefined): HTMLElement {
    const { say } = this.#context;
    const words = h("span", { class: "words" }, h("span", { class: "name" }, ...optionName(option, number, this.#question.values.get(option.id), say)));
    if (suggests(this.#question, option)) {
      words.append(" ", h("span", { class: "badge" }, say(messages.Suggested)));
    }
    const row = this.#row(option, words);
    if (option.description !== undefined && option.description !== "") {
      const id = `${this.#context.id}-${this.#items.length}d`;
      const note = h("div", { class: "description", id }, ...markdown(option.description, say));
      row.append(note);
      set(this.#items.at(-1)?.input ?? row, { "aria-describedby": id });
    }
    if (option.preview !== undefined) {
      const shown = h("pre", { dir: "auto", tabindex: 0, "aria-label": say(messages.PreviewTitle) }, escapeLines(option.preview).join("\n"));
      row.append(h("details", {}, h("summary", {}, say(messages.PreviewTitle), h("span", { class: "hidden" }, ": ", plainText(option.label))), shown));
    }
    return row;
  }

  #ownRow(): HTMLElement {
    const { rules, say } = this.#context;
    const ours = rules.own_answers_are_custom === true ? messages.CustomOption : messages.OtherName;
    const label = plainText(this.#question.other_label ?? "").trim() || say(ours);
    const row = this.#row(undefined, h("span", { class: "words name" }, label));
    set(this.#own, { "aria-label": label, "aria-describedby": this.#context.labelledBy });
    this.#own.addEventListener("input", () => this.#typeOwn());
    row.append(this.#own);
    return row;
  }

  #row(option: ChoiceOption | undefined, words: HTMLElement): HTMLElement {
    const { id } = this.#context;
    const type = this.#question.multi === true ? "checkbox" : "radio";
    const input = h("input", { type, name: id, id: `${id}-${this.#items.length}` });
    input.addEventListener("change", () => this.#toggle(option, input));
    this.#items.push({ input, option });
    return h("div", { class: "option", part: "option" }, h("label", { for: input.id }, input, words));
  }

  #toggle(option: ChoiceOption | undefined, input: HTMLInputElement): void {
    const pick: Pick = option === undefined ? { other: this.#own.value } : { option: option.id };
    const others = this.#picks.filter((one) => !isPickOf(one, option));
    if (this.#question.multi !== true) {
      this.#set([pick]);
    } else if (!input.checked) {
      this.#set(others);
    } else {
      this.#add(others, pick, input);
    }
    if (option === undefined && input.checked) this.#own.focus();
  }

  /** Adds a pick, unless that is one too many: then it has no effect. */
  #add(others: Pick[], pick: Pick, input: HTMLInputElement): void {
    const isAlone = this.#context.rules.other_alone === true;
    const kept = isAlone ? others.filter((one) => "option" in one && "option" in pick) : others;
    const most = boundOf(this.#question, "max_picks");
    if (most !== undefined && kept.length >= Number(most.value)) {
      input.checked = false;
      this.#context.refuse(most.message ?? [messages.MaxPicks, String(most.value)]);
      return;
    }
    this.#set([...kept, pick]);
  }

  #typeOwn(): void {
    const pick: Pick = { other: this.#own.value };
    const at = this.#picks.findIndex((one) => "other" in one);
    const item = this.#items.find(({ option }) => option === undefined);
    if (at >= 0) this.#set(this.#picks.with(at, pick));
    else if (item !== undefined && this.#own.value !== "") {
      item.input.checked = true;
      if (this.#question.multi === true) this.#add([...this.#picks], pick, item.input);
      else this.#set([pick]);
      // What does not fit is kept beside the picks.
      if (!item.input.checked) this.#set(this.#picks);
    }
  }

  #set(picks: readonly Pick[]): void {
    const own = this.#own.value;
    const aside = picks.some((pick) => "other" in pick) || own === "" ? undefined : own;
    this.#picks = picks;
    this.#context.change(picks.length === 0 ? undefined : { picks: [...picks] }, { aside });
  }
}

function isPickOf(pick: Pick, option: ChoiceOption | undefined): boolean {
  return "other" in pick ? option === undefined : pick.option === option?.id;
}

/** Returns the name of an option: with its number if another has the same label, and with its value if that is shown. */
function optionName(option: ChoiceOption, number: number | undefined, value: string | undefined, say: Say): (Node | string)[] {
  const label = inlineMarkdown(option.label, say);
  const name: (Node | string)[] = number === undefined ? label : [`${number}. `, ...label];
  if (value !== undefined) name.push(" ", h("code", { class: "value" }, plainText(value)));
  return name;
}
