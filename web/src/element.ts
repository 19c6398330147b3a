// The custom element: its properties, its events, and its part in an outer form.
import type { Completion, EventDetails, OutlineEntry, Problem, Questionnaire, Replies, Reply, SaysoQuestionnaireElement, SeenLines } from "./api.ts";
import { agrees, decisionOf, FORM, prepareForm } from "./form.ts";
import { langOf, speaker, type Lang, type Say } from "./i18n.ts";
import { afterPress } from "./press.ts";
import { initialState, reduce, type Action, type State } from "./reducer.ts";
import { FLAGS, REFLECTED, reflectAttributes } from "./reflected.ts";
import { answersOf, formNote, replyAt, sheetOf, submission, withoutAnswer, type Sheet } from "./rules/sheet.ts";
import { questionsOf, stepsOf, type Steps } from "./steps.ts";
import { createStyles } from "./style.ts";
import { plainText } from "./text/markdown.ts";
import { FormView, type ViewEvents } from "./view.ts";

/** `<sayso-questionnaire>`. */
export class SaysoQuestionnaire extends HTMLElement implements SaysoQuestionnaireElement {
  static readonly formAssociated = true;
  static readonly observedAttributes = [...FLAGS, "lang", "desk-link"];

  #internals = this.attachInternals();
  #root = this.attachShadow({ mode: "open" });
  /** JSON of the request; undefined if it could not be shown. */
  #text: string | undefined = "null";
  /** What the browser kept of the form, until there is a request that it answers. */
  #restored: Replies | undefined;
  #state: State | undefined;
  #sheet: Sheet | undefined;
  /** The replies of the state, made once for each. */
  #answers: Replies = {};
  #problems: readonly Problem[] = [];
  #completion: Completion | null = null;
  #view: FormView | undefined;
  #lang = "";
  #say: Say = speaker("en");

  constructor() {
    super();
    this.#root.adoptedStyleSheets = [createStyles()];
    this.addEventListener("invalid", () => this.#awaitReport());
    for (const name of ["request", "answers", "problems", "completed", ...Object.keys(REFLECTED) as (keyof typeof REFLECTED)[]] as const) this.#upgrade(name);
  }

  /** Applies a property that a page set before the element was defined. */
  #upgrade(name: keyof SaysoQuestionnaireElement): void {
    if (!Object.hasOwn(this, name)) return;
    const value: unknown = Reflect.get(this, name);
    Reflect.deleteProperty(this, name);
    queueMicrotask(() => Reflect.set(this, name, value));
  }

  connectedCallback(): void {
    // An element that is moved keeps its view, and the count of the lines that were drawn.
    if (this.#view === undefined || this.#readLang() !== this.#lang) this.#attempt(() => this.#rebuild());
    else this.#show();
  }

  attributeChangedCallback(name: string): void {
    if (name === "lang") this.#rebuild();
    else this.#show();
  }

  formDisabledCallback(): void {
    this.#show();
  }

  formResetCallback(): void {
    if (this.#state !== undefined) this.#state = initialState(this.#state.form);
    this.#problems = [];
    // A control may hold a part of a date, which is no answer yet.
    this.#rebuild();
  }

  formStateRestoreCallback(state: string): void {
    this.#restored = JSON.parse(state) as Replies;
    this.#restore();
  }

  declare submitted: Replies | undefined;

  get request(): Questionnaire | null {
    return this.#state?.form.request ?? null;
  }

  set request(request: Questionnaire | string | null) {
    this.#attempt(() => {
      const text = typeof request === "string" ? request : JSON.stringify(request);
      if (text === this.#text && text !== undefined) return;
      this.#text = text;
      this.#completion = null;
      this.#problems = [];
      this.#state = undefined;
      this.#view = undefined;
      const read: Questionnaire | null = JSON.parse(text);
      this.#state = read === null ? undefined : initialState(prepareForm(read, this.submitted, this.oneQuestion));
      // An element that is not in a page yet gets its view once it is.
      if (this.isConnected) this.#rebuild();
      else this.#show();
      this.#restore();
    });
  }

  /** Does something that a malformed request makes fail: what cannot be shown whole is not shown. */
  #attempt(work: () => void): void {
    try {
      work();
    } catch (error) {
      this.#text = undefined;
      this.#state = undefined;
      this.#rebuild();
      this.#emit("sayso-error", { detail: String(error) });
    }
  }

  /** Gives what the browser kept; it may come before the page sets the request. */
  #restore(): void {
    if (this.#state === undefined || this.#restored === undefined) return;
    const answers = this.#restored;
    this.#restored = undefined;
    this.answers = answers;
  }

  get answers(): Replies {
    return { ...this.#answers };
  }

  set answers(answers: Replies) {
    const state = this.#state;
    if (state === undefined) return;
    const replies = new Map<string, Reply>();
    for (const [id, reply] of Object.entries(answers)) {
      const [question, before] = [state.form.byId.get(id), state.replies.get(id)];
      if (question === undefined && id !== FORM) continue;
      const isSame = JSON.stringify(before) === JSON.stringify(reply) && before !== undefined;
      replies.set(id, isSame ? before : question?.consent === true ? withoutAnswer(reply) : reply);
    }
    const isSame = replies.size === state.replies.size && [...replies].every(([id, reply]) => state.replies.get(id) === reply);
    if (!isSame) this.#dispatch({ type: "replies", replies });
  }

  get problems(): readonly Problem[] {
    return this.#problems;
  }

  set problems(problems: readonly Problem[]) {
    this.#problems = problems;
    afterPress(() => this.#dispatch({ type: "problems", problems: this.#problems }));
  }

  get completed(): Completion | null {
    return this.#completion;
  }

  set completed(completion: Completion | null) {
    this.#completion = completion;
    this.#show();
  }

  declare disabled: boolean;
  declare busy: boolean;
  declare review: boolean;
  declare overview: boolean;
  declare hostReview: boolean;
  declare draftOnly: boolean;
  declare formNote: boolean;
  declare oneQuestion: boolean;
  declare name: string;
  declare deskLink: string;

  get form(): HTMLFormElement | null { return this.#internals.form; }
  get validity(): ValidityState { return this.#internals.validity; }

  validate(): Problem[] {
    const [state, sheet] = [this.#state, this.#sheet];
    if (state === undefined || sheet === undefined) return [];
    const problems = [...this.#findProblems(state, sheet)];
    this.#dispatch({ type: "judge", ids: state.form.questions.map(({ id }) => id), refused: problems.length > 0 });
    return problems;
  }

  get seen(): SeenLines | null {
    return this.#view?.seen ?? null;
  }

  get outline(): OutlineEntry[] {
    const [state, sheet] = [this.#state, this.#sheet];
    if (state === undefined || sheet === undefined) return [];
    return state.form.questions.filter((question) => sheet.isAsked(question)).map((question) => {
      const isWrong = state.told.has(question.id) || (state.judged.has(question.id) && sheet.problem(question) !== undefined);
      return { id: question.id, label: (plainText(question.label ?? "") || plainText(question.prompt.trim().split("\n", 1)[0] ?? "") || question.id).slice(0, 80), mark: isWrong ? "!" : sheet.value(question) === undefined ? "" : "✓" };
    });
  }

  mark(yes: boolean): void {
    const { view, state } = { view: this.#view, state: this.#state };
    const [question] = state?.form.questions ?? [];
    if (view === undefined || state?.form.questions.length !== 1 || question?.kind !== "confirm" || this.#isLocked) return;
    if (!state.form.isPermission) this.#reply(question.id, { ...replyAt(state, question), state: "answered", answer: { confirm: yes } }, false);
    view.focusButton(yes || !state.form.isPermission);
  }

  agrees(replies: Replies): boolean {
    return this.#state !== undefined && agrees(this.#state.form, replies);
  }

  decision(replies: Replies): boolean | undefined {
    return this.#state && decisionOf(this.#state.form, replies);
  }

  requestSubmit(): void {
    this.#submit(false);
  }

  showUnseen(): void {
    this.#view?.showUnseen();
  }

  showStep(place: number): void {
    this.#withSteps((steps) => this.#go(steps, steps.all[place] ?? 0));
  }

  focusFirst(): void {
    this.#view?.focusQuestion(undefined);
  }

  focusQuestion(id: string): void {
    if (id === FORM) this.#withSteps(({ all }) => this.#view?.openNote(all.at(-1) ?? 0));
    const question = this.#state?.form.byId.get(id);
    if (question !== undefined) this.#view?.open(question);
  }

  #dispatch(action: Action): void {
    if (this.#state === undefined) return;
    this.#state = reduce(this.#state, action);
    // A question that is asked only now may be malformed.
    this.#attempt(() => this.#show());
  }

  /** A form that reports what is invalid gives it the focus, one that only checks does not. It can have it for that time. */
  #awaitReport(): void {
    this.tabIndex = -1;
    setTimeout(() => {
      const isReport = (this.getRootNode() as Document | ShadowRoot).activeElement === this;
      this.removeAttribute("tabindex");
      if (!isReport) return;
      this.validate();
      this.#view?.focusSummary();
    });
  }

  /** Makes the view anew: for another request, or in another language. */
  #rebuild(): void {
    const state = this.#state;
    const lang = this.#readLang();
    this.#lang = lang;
    this.#say = speaker(lang);
    this.#view = state === undefined ? undefined : new FormView(state.form, this.#say, this.#createEvents());
    this.#root.replaceChildren(...(this.#view === undefined ? [] : [this.#view.root]));
    this.#view?.root.setAttribute("lang", lang);
    this.#show();
  }

  #readLang(): Lang {
    return langOf(this.getAttribute("lang") ?? this.closest("[lang]")?.getAttribute("lang") ?? navigator.language);
  }

  #show(): void {
    const state = this.#state;
    this.#answers = state === undefined ? {} : answersOf(state);
    if (state === undefined || this.#view === undefined) {
      this.#internals.setFormValue(null);
      return;
    }
    const sheet = sheetOf(state);
    this.#sheet = sheet;
    this.#view.show(state, sheet, {
      disabled: this.disabled || this.matches(":disabled"),
      busy: this.busy,
      review: this.review,
      overview: this.overview,
      isReviewed: this.hostReview && (formNote(state) !== "" || state.form.questions.filter((question) => sheet.isAsked(question)).length > 1),
      deskLink: this.#consentLink(state),
      draftOnly: this.draftOnly,
      formNote: this.formNote,
      completion: this.#completion,
    }, this.#answers);
    const isAnsweredHere = !this.draftOnly && this.#consentLink(state) === undefined;
    this.#internals.setFormValue(isAnsweredHere ? JSON.stringify(this.#answers) : null);
    const [first] = isAnsweredHere && this.#completion === null ? this.#findProblems(state, sheet) : [];
    if (first === undefined) this.#internals.setValidity({});
    else this.#internals.setValidity({ customError: true }, first.detail);
  }

  /** Returns true if nothing can be changed or sent here. */
  get #isLocked(): boolean {
    const state = this.#state;
    return this.disabled || this.draftOnly || this.matches(":disabled") || this.#completion !== null || (state !== undefined && this.#consentLink(state) !== undefined);
  }

  /** Returns where consent is given, if not here. */
  #consentLink(state: State): string | undefined {
    const link = this.deskLink;
    return state.form.asksConsent && /^(https?:\/\/|\/(?!\/))/i.test(link) ? link : undefined;
  }

  /** Finds the problems one by one: most often only the first is needed. */
  *#findProblems(state: State, sheet: Sheet): Generator<Problem> {
    let isValid = true;
    for (const question of state.form.questions) {
      const problem = sheet.isAsked(question) ? sheet.problem(question) : undefined;
      if (problem === undefined) continue;
      isValid = false;
      yield { detail: this.#say(problem), path: ["answers", question.id] };
    }
    const whole = isValid ? sheet.wholeProblem() : undefined;
    if (whole !== undefined) yield { detail: this.#say(whole) };
  }

  #createEvents(): ViewEvents {
    return {
      reply: (question, reply, unreadable) => this.#reply(question.id, reply, unreadable),
      note: (note) => this.#reply(FORM, note === "" ? { state: "unanswered" } : { state: "unanswered", note }, false),
      approve: () => this.#approve(),
      // An empty question is not judged when it is left: only Next and Submit say that an answer is missing.
      leave: (question) => this.#withSteps((_, state) => {
        const isTyped = replyAt(state, question).answer !== undefined || state.unreadable.has(question.id);
        if (isTyped) this.#dispatch({ type: "judge", ids: [question.id], refused: state.refused });
      }),
      go: (step) => this.#withSteps((steps) => this.#go(steps, step === -1 ? steps.all[steps.place - 1] ?? 0 : step)),
      next: () => this.#withSteps((steps, state, sheet) => {
        if (!this.#refuse(questionsOf(state, sheet, steps, steps.current).map(({ id }) => id), false)) this.#go(steps, steps.all[steps.place + 1] ?? 0);
      }),
      skip: () => this.#withSteps((steps, { form }) => {
        const sectionOf = (step: number) => form.questions.find((question) => question.stepAt === step)?.section;
        const section = sectionOf(steps.current) ?? 0;
        this.#dispatch({ type: "skip", section });
        this.#withSteps((now) => {
          const next = now.all.find((step, place) => place > now.place && sectionOf(step) !== section);
          if (next === undefined) this.#submit(false);
          else this.#go(now, next);
        });
      }),
      submit: (isConfirmed) => this.#submit(isConfirmed),
      decline: (reason) => {
        if (!this.busy && !this.#isLocked) this.#emit("sayso-decline", reason === "" ? {} : { reason });
      },
    };
  }

  #reply(id: string, reply: Reply, unreadable: boolean): void {
    this.#problems = this.#problems.filter(({ path }) => path?.[1] !== id);
    this.#dispatch({ type: "reply", id, reply, unreadable });
    const valid = this.#internals.validity.valid;
    this.#emit("sayso-change", { answers: this.answers, changed: [id], valid });
  }

  /** Answers yes to the one question, and submits. */
  #approve(): void {
    const [question] = this.#state?.form.questions ?? [];
    if (this.#state === undefined || question === undefined || this.busy || this.#isLocked) return;
    this.#reply(question.id, { ...replyAt(this.#state, question), state: "answered", answer: { confirm: true } }, false);
    this.#submit(false);
  }

  #withSteps(use: (steps: Steps, state: State, sheet: Sheet) => void): void {
    if (this.#state !== undefined && this.#sheet !== undefined) {
      use(stepsOf(this.#state, this.#sheet, this.review && !this.disabled && !this.draftOnly), this.#state, this.#sheet);
    }
  }

  #go(steps: Steps, step: number): void {
    if (step === steps.current) return;
    this.#dispatch({ type: "step", step });
    this.#view?.focusStep();
    this.#withSteps(({ place, all }) => this.#emit("sayso-step", { step: place, steps: all.length }));
  }

  /** Shows what is wrong with these answers, or with the whole; returns true if something is. */
  #refuse(ids: readonly string[], asWhole: boolean): boolean {
    const [state, sheet] = [this.#state, this.#sheet];
    if (state === undefined || sheet === undefined) return true;
    const isWrong = [...this.#findProblems(state, sheet)].some(({ path }) => (path === undefined ? asWhole : ids.includes(String(path[1]))));
    this.#dispatch({ type: "judge", ids, refused: isWrong });
    if (isWrong) this.#view?.focusSummary();
    return isWrong;
  }

  /** Submits; what agrees to lines that were not drawn is confirmed first. */
  #submit(isConfirmed: boolean): void {
    const state = this.#state;
    if (state === undefined || this.busy || this.#isLocked || this.#refuse(state.form.questions.map(({ id }) => id), true)) return;
    if (this.#sheet === undefined) return;
    const replies = submission(state, this.#sheet);
    const seen = this.agrees(replies) ? this.seen : null;
    if (seen === null) this.#emit("sayso-submit", { replies });
    else if (isConfirmed) this.#emit("sayso-submit", { replies, seen });
    else this.#view?.confirmUnseen(state);
  }

  #emit<Name extends keyof EventDetails>(name: Name, detail: EventDetails[Name]): void {
    this.dispatchEvent(new CustomEvent(name, { detail, bubbles: true, composed: true }));
  }
}

reflectAttributes(SaysoQuestionnaire.prototype);
