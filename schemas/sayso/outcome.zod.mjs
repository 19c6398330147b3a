// Made by `sayso schema sayso --as zod --outcome`: do not edit.

import * as z from "zod";

export const AskIdSchema = z.string().describe("Id of an ask: a UUID of version 7 (RFC 9562), so that ids sort by time, or a random one (version 4) if the asker's\nformat abbreviates ids.");

export const ReplyStateSchema = z.enum([
  "unanswered", // No one answered it.
  "skipped", // The person skipped it deliberately.
  "not_asked", // It was not asked because of the answer to another question.
  "answered", // It has an answer.
]);

export const OptionIdSchema = z.string().describe("An option within its question. Formats without ids number them `o1`, `o2`, …, as on the screen.");

export const PickSchema = z.union([
  z.strictObject({
    option: OptionIdSchema,
  }).describe("One of the options."),
  z.strictObject({
    other: z.string(),
  }).describe("An own answer, as typed."),
]).describe("One thing picked in a choice.");

export const NumberSchema = z.union([
  z.number(),
  z.string().regex(new RegExp("^[+-]?\\.?[0-9]", "u")),
]).describe("A decimal number of at most 28 digits; a string of digits if JSON cannot express it exactly.");

export const DateTimeSchema = z.string().describe("A date with a time, `2026-03-01T14:00:00`, with or without an offset.");

export const AnswerSchema = z.union([
  z.strictObject({
    picks: z.array(PickSchema),
  }).describe("Picked options of a choice, in the order picked."),
  z.strictObject({
    text: z.string(),
  }).describe("Text, as typed."),
  z.strictObject({
    confirm: z.boolean(),
  }).describe("Yes or no."),
  z.strictObject({
    rating: z.int(),
  }).describe("A step of a rating's scale."),
  z.strictObject({
    number: NumberSchema,
  }).describe("A number."),
  z.strictObject({
    date: z.string(),
  }).describe("A day."),
  z.strictObject({
    time: z.string(),
  }).describe("A time of day."),
  z.strictObject({
    datetime: DateTimeSchema,
  }).describe("A day with a time of day."),
]).describe("An answer, by the kind of its question.");

export const QuestionIdSchema = z.string().describe("A question within its questionnaire. Formats without ids number them `q0`, `q1`, …");

export const ReplySchema = z.looseObject({
  state: ReplyStateSchema.describe("Answer that was given."),
  pattern_not_checked: z.boolean().describe("True if checking the answer against its pattern took too many steps: check it yourself.").optional(),
  answer: AnswerSchema.describe("The answer, if any.").optional(),
  because: QuestionIdSchema.describe("For a question that was not asked: the question whose answer decided that.").optional(),
  note: z.string().describe("A note of the person on the answer.").optional(),
  aside: z.string().describe("In a draft: a typed own answer that is not picked. It is never sent.").optional(),
}).describe("Reply to one question.");

export const SurfaceSchema = z.enum([
  "prompter", // The line prompter.
  "inbox", // The full screen: the inbox.
  "command", // A command that takes answers as an argument.
  "pipe", // Lines on a piped standard input.
  "dialog", // A dialog of the program that the asker runs in.
  "http", // A program that calls the desk over HTTP.
  "page", // The desk's own page, in a browser.
  "element", // The questionnaire element in a page that is not the desk's own.
]).describe("Place where a person answers.");

export const AssuranceSchema = z.enum([
  "scripted", // A program gave the answer.
  "embedded", // A page that is not the desk's own states, through its element, that a person answered.
  "relayed", // The program that the asker runs in states that a person answered.
  "service_session", // A session that a service opened for its user; the service identifies the user.
  "token", // A person's token was used; where the person answered is the program's own statement.
  "browser_session", // A browser that a person signed in by typing a code once.
  "terminal", // The answer was typed at a terminal.
]).describe("Assurance of the desk that a person was there.");

export const AskAccessSchema = z.enum([
  "desk_file", // The person opened the desk's file.
  "outside_audience", // An admin who is not in the audience opened it.
]).describe("Access of a person to an ask without being in its audience.");

export const AudienceSchema = z.strictObject({
  accounts: z.array(z.string()).describe("Accounts.").optional(),
  groups: z.array(z.string()).describe("Groups of accounts.").optional(),
}).describe("Accounts and groups that may see and answer an ask. It is fixed when the ask opens.");

export const SeenLinesSchema = z.strictObject({
  shown: z.int().min(0).describe("Number of lines that were drawn."),
  total: z.int().min(0).describe("Number of all lines."),
}).describe("Number of lines that were drawn of an action, a plan or the context of a consent.");

export const ReceiptSchema = z.looseObject({
  by: z.string().describe("The person's name."),
  surface: SurfaceSchema.describe("Place of the answer."),
  assurance: AssuranceSchema.describe("Assurance of the desk that a person was there."),
  at: z.string().describe("Time of it."),
  shown: z.string().describe("The digest of what was shown."),
  access: AskAccessSchema.describe("`desk_file` or `outside_audience`, if the person was not known to be in the audience.").optional(),
  audience: AudienceSchema.describe("Audience of the ask, if it was opened for some.").optional(),
  dropped: z.array(QuestionIdSchema).describe("The questions whose answers were left out because they are not asked.").optional(),
  seen: SeenLinesSchema.describe("The lines of the approved action that were drawn, unless all were.").optional(),
}).describe("Record of an answer: the person, the place, the assurance, the time, and the digest of the questions.");

export const AskerVerdictSchema = z.enum([
  "accepted", // The asker accepted the answer.
  "none", // The asker was gone and did not return in time.
]).describe("Verdict of the asker on an answer.");

export const CancelReasonSchema = z.enum([
  "answered_in_host", // It was answered in the host's own dialog.
  "session_ended", // The turn or the session that asked has ended.
  "host_ended", // The host's process has ended.
  "given_back", // No one answered at the desk in time, or the host cancelled it and asks by itself.
]).describe("Reason why an asker's host ended an ask: an answer at the desk would reach no one.");

export const OutcomeSchema = z.intersection(z.looseObject({
  sayso: z.int().min(0).describe("The version of this format: 1."),
  ask: AskIdSchema.describe("The ask."),
  approved: z.boolean().describe("True if the answers give the consent that was asked for; omitted if none was.").optional(),
}), z.discriminatedUnion("outcome", [
  z.looseObject({
    outcome: z.literal("answered"),
    replies: z.record(z.string(), ReplySchema).describe("The replies as submitted. The note on the whole form is that of the empty id."),
    receipt: ReceiptSchema.describe("Receipt of the person."),
    verdict: AskerVerdictSchema.describe("For an asker that judges: its verdict.").optional(),
    as_sent: z.unknown().describe("JSON of a program that answered, for askers that receive exactly that.").optional(),
  }).describe("A person answered."),
  z.looseObject({
    outcome: z.literal("declined"),
    receipt: ReceiptSchema.describe("Receipt of the person."),
    reason: z.string().describe("Reason, if one was given.").optional(),
  }).describe("A person declined."),
  z.looseObject({
    outcome: z.literal("cancelled"),
    at: z.string().describe("Time of it."),
    reason: CancelReasonSchema.describe("The reason, if the asker's host ended the ask.").optional(),
  }).describe("The asker cancelled the question."),
  z.looseObject({
    outcome: z.literal("expired"),
    at: z.string().describe("Deadline that passed."),
  }).describe("The deadline passed without an answer."),
])).describe("Outcome of an ask.");
