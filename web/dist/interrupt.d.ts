import type { Reply } from "./outcome.js";
import type { Questionnaire } from "./request.js";
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
    data?: {
        action_requests?: {
            name: string;
            args?: Record<string, unknown> | null;
        }[] | null;
    } | null;
    questions?: {
        question: string;
        options: InterruptOption[];
    }[] | null;
    options?: (string | {
        label: string;
        value?: string | null;
    })[] | null;
}
/** Body of a resume request. */
export type Resume = {
    action: "continue";
} | {
    action: "cancel";
    reason?: string;
} | {
    action: "answer";
    answers: string[];
};
/** Returns the data of an interrupt event in Sayso's own format. */
export declare function toSayso(interrupt: Interrupt): Questionnaire;
/** Returns the decision that resumes the thread. */
export declare function toResume(interrupt: Interrupt, replies: Record<string, Reply>): Resume;
