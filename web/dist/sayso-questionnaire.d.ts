import type { Outcome, Reply } from "./outcome.js";
import type { Questionnaire } from "./request.js";
export type { Outcome, Reply } from "./outcome.js";
export type { Questionnaire } from "./request.js";
/** Replies by the ids of their questions. */
export type Replies = Record<string, Reply>;
/** Something that is wrong, as the desk reports it. */
export interface Problem {
    /** What is wrong, in words. */
    detail: string;
    /** `["answers", id, …]`; without it the problem is about the whole. */
    path?: readonly (string | number)[];
    /** Its kind, as a stable word. */
    code?: string;
    /** What to do about it. */
    hint?: string;
}
/** How an ask ended; of an answer, the replies are enough. */
export type Completion = Outcome | {
    outcome: "answered";
    replies: Replies;
} | {
    outcome: "declined";
    reason?: string;
} | {
    outcome: "cancelled" | "expired";
};
/** Number of lines of what is agreed to, and of those that were drawn. */
export interface SeenLines {
    shown: number;
    total: number;
}
/** Question in the outline of a form: answered, wrong, or neither. */
export interface OutlineEntry {
    id: string;
    label: string;
    mark: "✓" | "!" | "";
}
/** `detail` of each event. */
export interface EventDetails {
    "sayso-change": {
        answers: Replies;
        changed: string[];
        valid: boolean;
    };
    "sayso-submit": {
        replies: Replies;
        seen?: SeenLines;
    };
    "sayso-decline": {
        reason?: string;
    };
    "sayso-step": {
        step: number;
        steps: number;
    };
    "sayso-error": {
        detail: string;
    };
}
/** The element. */
export interface SaysoQuestionnaireElement extends HTMLElement {
    get request(): Questionnaire | null;
    set request(request: Questionnaire | string | null);
    /** Replies that the person submitted in the last round, set before `request`: they are no suggestions of the asker. */
    submitted: Replies | undefined;
    answers: Replies;
    problems: readonly Problem[];
    completed: Completion | null;
    disabled: boolean;
    busy: boolean;
    review: boolean;
    overview: boolean;
    /** The page shows several answers once more before it sends them: the button says so. */
    hostReview: boolean;
    /** Questions that give no consent can be answered; nothing is sent, and slot `hint` says where. */
    draftOnly: boolean;
    /** A note on the whole form can be added, where several questions are asked: the reply of the empty id. */
    formNote: boolean;
    /** Each question is a step. Set before `request`. */
    oneQuestion: boolean;
    deskLink: string;
    /** Lines drawn of what is agreed to: action and context of a request for consent; null once all were. */
    readonly seen: SeenLines | null;
    /** Returns whether these replies agree to what is asked. */
    agrees(replies: Replies): boolean;
    /** Returns whether each yes that was asked for consent was given; undefined if none was asked for. */
    decision(replies: Replies): boolean | undefined;
    /** Marks yes or no of a lone confirmation, and moves the focus to the button that sends it. Nothing is sent. */
    mark(yes: boolean): void;
    /** The questions that are asked, with their marks. */
    readonly outline: OutlineEntry[];
    /** Does what its own button for Submit does. */
    requestSubmit(): void;
    /** Scrolls to the first line that was not drawn. */
    showUnseen(): void;
    /** Judges as Submit does, shows the problems, and returns them. */
    validate(): Problem[];
    /** Moves the focus to the first control. */
    focusFirst(): void;
    /** Shows a step by its place among those that are shown. */
    showStep(place: number): void;
    /** Shows the section of a question, and moves the focus to it. */
    focusQuestion(id: string): void;
    readonly form: HTMLFormElement | null;
    readonly validity: ValidityState;
    name: string;
}
declare global {
    interface HTMLElementTagNameMap {
        "sayso-questionnaire": SaysoQuestionnaireElement;
    }
    interface HTMLElementEventMap {
        "sayso-change": CustomEvent<EventDetails["sayso-change"]>;
        "sayso-submit": CustomEvent<EventDetails["sayso-submit"]>;
        "sayso-decline": CustomEvent<EventDetails["sayso-decline"]>;
        "sayso-step": CustomEvent<EventDetails["sayso-step"]>;
        "sayso-error": CustomEvent<EventDetails["sayso-error"]>;
    }
}
