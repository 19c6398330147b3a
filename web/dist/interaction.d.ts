import type { Reply } from "./outcome.js";
import type { Questionnaire } from "./request.js";
import type { Problem } from "./sayso-questionnaire.js";
/** One field of a form. */
export interface InteractionField {
    id: string;
    type: string;
    label: string;
    description?: string;
    required?: boolean;
    placeholder?: string;
    defaultValue?: unknown;
    validateOnClient?: boolean;
    options?: {
        label: string;
        value: string;
    }[];
    min?: number;
    max?: number;
    step?: number;
    minLength?: number;
    maxLength?: number;
    pattern?: string;
}
/** A form. */
export interface InteractionSchema {
    title?: string;
    description?: string;
    fields?: InteractionField[];
    sections?: {
        id: string;
        title?: string;
        description?: string;
        fields: InteractionField[];
        optional?: boolean;
        submitLabel?: string;
    }[];
    submitLabel?: string;
    cancelLabel?: string;
    initialValues?: Record<string, unknown>;
}
/** A request, a tool's arguments, or a form alone. */
export interface InteractionRequest extends InteractionSchema {
    prompt?: string;
    inputSchema?: InteractionSchema;
    schema?: InteractionSchema;
    completedView?: {
        showInputs?: boolean;
        summaryTemplate?: string;
    };
    validate?: boolean;
    strict?: boolean;
    errorSummary?: string;
    fieldErrors?: Record<string, string>;
    interactionType?: "input" | "approval";
    toolName?: string;
    approvalScopes?: ApprovalScope[];
    presentation?: string;
}
/** How far an approval reaches. */
export type ApprovalScope = "once" | "session" | "always";
/** Answer to an approval. */
export interface ApprovalResponse {
    action: "approve" | "deny";
    approvalScope?: ApprovalScope;
}
/** Makes the buttons of an approval. The first press gives the answer, and locks them all. */
export declare function createApproval({ prompt, toolName, approvalScopes: scopes, presentation }: InteractionRequest, answer: (response: ApprovalResponse) => void): HTMLElement;
/** Returns a request in Sayso's own format; null for one without a form, of which nothing is shown. */
export declare function toSayso(request: InteractionRequest): Questionnaire | null;
/** Returns the replies of a response's `input`; of a reprompt without it those that the person submitted. */
export declare function toReplies(request: InteractionRequest, input?: Record<string, unknown>): Record<string, Reply>;
/** Returns the `input` of a response. What was not answered is left out. */
export declare function toInput(request: Questionnaire, replies: Record<string, Reply>): Record<string, unknown>;
/** Returns the problems of a reprompt. */
export declare function toProblems({ errorSummary, fieldErrors }: InteractionRequest): Problem[];
