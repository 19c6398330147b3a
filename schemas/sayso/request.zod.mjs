// Made by `sayso schema sayso --as zod`: do not edit.

import * as z from "zod";

export const ActionKindSchema = z.union([
  z.strictObject({
    run: z.looseObject({
      argv: z.array(z.string()).describe("The program and its arguments."),
      folder: z.string().describe("In this folder.").optional(),
    }),
  }).describe("A program is started, with exactly these arguments."),
  z.strictObject({
    shell: z.looseObject({
      command: z.string().describe("The line."),
      folder: z.string().describe("In this folder.").optional(),
    }),
  }).describe("A line is given to a shell."),
  z.strictObject({
    write: z.looseObject({
      path: z.string().describe("The file."),
      content: z.string().describe("The whole content."),
      outside: z.string().describe("The folder that the file is outside of, if it is: the one in which the agent works.").optional(),
      overwrites: z.boolean().describe("True if the file exists; otherwise unknown.").optional(),
    }),
  }).describe("A file is created or overwritten."),
  z.strictObject({
    edit: z.looseObject({
      path: z.string().describe("The file."),
      diff: z.string().describe("The change, as a unified diff."),
      outside: z.string().describe("The folder that the file is outside of, if it is: the one in which the agent works.").optional(),
    }),
  }).describe("A file is changed."),
  z.strictObject({
    open: z.looseObject({
      url: z.string().describe("The address."),
    }),
  }).describe("An address is opened or called."),
  z.strictObject({
    call: z.looseObject({
      arguments: z.string().describe("Arguments for the tool, as JSON text."),
    }),
  }).describe("Any other tool: only those who know the tool know its effect."),
]).describe("Kinds of action that can be shown exactly, and all others.");

export const ActionSchema = z.looseObject({
  tool: z.string().describe("The tool that would do it, by its name."),
  act: ActionKindSchema.describe("The action itself, as data: run, write, open and so on."),
}).describe("Action to be done. It is shown from these bytes and not from a summary.");

export const KindNameSchema = z.enum([
  "choice", // One or several of some options.
  "text", // Typed text.
  "confirm", // Yes or no.
  "rating", // A step on a scale of whole numbers.
  "number", // A number.
  "date", // A day, `2026-03-01`.
  "time", // A time of day, `14:30`.
  "datetime", // A day with a time of day, `2026-03-01T14:30`.
]);

export const OptionSchema = z.union([
  z.string().min(1).describe("Label that the person reads, and also its id if that is not too long."),
  z.looseObject({
    label: z.string().min(1).describe("Label that the person reads."),
    id: z.string().min(1).refine((text) => [...text].length <= 200, { error: "Too big: expected string to have <=200 characters" }).describe("Identifies it within its question; numbered where it is left out.").optional(),
    value: z.string().describe("Value that you get for it, if that is not its id.").optional(),
    recommended: z.boolean().describe("Your suggestion: it is marked, never picked for the person. Consent takes none.").optional(),
    description: z.string().describe("Meaning. May be Markdown.").optional(),
    preview: z.string().describe("Preview: a text of any length, shown next to the options.").optional(),
  }).describe("Properties of the option."),
]).describe("One option of a choice.");

export const NumberSchema = z.union([
  z.number(),
  z.string().regex(new RegExp("^[+-]?\\.?[0-9]", "u")),
]).describe("A decimal number of at most 28 digits; a string of digits if JSON cannot express it exactly.");

export const OptionIdSchema = z.string().describe("An option within its question. Formats without ids number them `o1`, `o2`, …, as on the screen.");

export const PickSchema = z.union([
  z.strictObject({
    option: OptionIdSchema,
  }).describe("One of the options."),
  z.strictObject({
    other: z.string(),
  }).describe("An own answer, as typed."),
]).describe("One thing picked in a choice.");

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

export const ValueSchema = z.union([
  z.boolean().describe("Yes or no."),
  NumberSchema.describe("A number."),
  z.string().describe("An option's id, a text, or a date or time in its ISO form."),
]).describe("A value to compare an answer with: an option's id, a text, a date, a number, or true and false.");

export const ConstraintSchema = z.looseObject({
  required: z.boolean().describe("Message for a required question that has no answer.").optional(),
  fits: z.boolean().describe("Message for an answer that is not of the question's kind, or names no option.").optional(),
  min_picks: z.int().min(0).describe("At least as many options are picked.").optional(),
  max_picks: z.int().min(0).describe("At most as many options are picked.").optional(),
  min_length: z.int().min(0).describe("The text has at least as many characters.").optional(),
  max_length: z.int().min(0).describe("The text has at most as many characters.").optional(),
  pattern: z.string().refine((text) => [...text].length <= 1000, { error: "Too big: expected string to have <=1000 characters" }).describe("A JavaScript regular expression without flags that matches somewhere in the text.").optional(),
  min: ValueSchema.describe("At least this number, or not before this date or time.").optional(),
  max: ValueSchema.describe("At most this number, or not after this date or time.").optional(),
  multiple_of: NumberSchema.describe("A multiple of this number.").optional(),
  message: z.string().describe("Message if it is not met; by default a message of Sayso's own.").optional(),
}).superRefine((value, ctx) => {
  const demands = ["min_picks", "max_picks", "min_length", "max_length", "pattern", "min", "max", "multiple_of"];
  const demanded = demands.some((name) => value[name] !== undefined) || value.required === true || value.fits === true;
  if (!demanded) ctx.addIssue({ code: "custom", message: "A constraint must demand something." });
}).describe("Rule for an answer, and the message if it is not met.");

export const ConditionSchema = z.looseObject({
  question: z.string().describe("The id of an earlier question; without it, the parent's.").optional(),
  is: ValueSchema.describe("The answer is this: an option's id, a text, true or false, a number, or a date or time in its ISO form. Of\nseveral picks, one is.").optional(),
  any_of: z.array(ValueSchema).describe("The answer is one of these.").optional(),
  all_of: z.array(ValueSchema).describe("All of these are picked.").optional(),
  none_of: z.array(ValueSchema).describe("There is an answer, and it is none of these.").optional(),
  at_least: ValueSchema.describe("The answer is this or more, or this or later.").optional(),
  at_most: ValueSchema.describe("The answer is this or less, or this or earlier.").optional(),
  answered: z.boolean().describe("There is an answer (true), or there is none (false).").optional(),
  own_answer: z.boolean().describe("The answer is the person's own, not an option (true), or is an option (false).").optional(),
  get all() { return z.array(ConditionSchema).describe("All of these hold.").optional(); },
  get any() { return z.array(ConditionSchema).describe("At least one of these holds.").optional(); },
  get not() { return ConditionSchema.describe("This does not hold.").optional(); },
}).superRefine((value, ctx) => {
  const count = (names) => names.filter((name) => value[name] !== undefined).length;
  const checks = count(["is", "any_of", "all_of", "none_of", "at_least", "at_most", "answered", "own_answer"]);
  const groups = count(["all", "any", "not"]);
  const isOne = checks + groups === 1 && (groups === 0 || value.question === undefined);
  if (!isOne) ctx.addIssue({ code: "custom", message: "A condition is one check, or one of all, any and not." });
}).describe("Condition under which something is asked: one check of the answer to an earlier question, or all, any or not of\nother conditions.");

export const QuestionSchema = z.looseObject({
  prompt: z.string().min(1).describe("Question to the person. May be Markdown."),
  id: z.string().min(1).refine((text) => [...text].length <= 200, { error: "Too big: expected string to have <=200 characters" }).describe("Identifies it; numbered where it is left out.").optional(),
  key: z.string().describe("Your own name for it, if that is not its id.").optional(),
  kind: KindNameSchema.describe("Kind of answer. Without it: a choice if there are options, else a text.").optional(),
  label: z.string().describe("A short name for tabs and lists.").optional(),
  get children() { return z.array(QuestionSchema).describe("Questions that follow it up, each asked right after it.").optional(); },
  detail: z.string().describe("More about it, shown under the prompt. May be Markdown.").optional(),
  required: z.boolean().describe("It must be answered before the answers can be sent.").optional(),
  unchecked: z.boolean().describe("Any answer of its kind is taken while it is typed; what is sent is judged all the same.").optional(),
  options: z.array(OptionSchema).max(1000).describe("For a choice: the options.").optional(),
  multi: z.boolean().describe("For a choice: several may be picked.").optional(),
  other: z.boolean().describe("For a choice: a typed own answer is offered after the options.").optional(),
  other_label: z.string().describe("For a choice: label of the own answer.").optional(),
  other_at: z.int().min(0).describe("For a choice: number of options above the own answer; all by default.").optional(),
  long: z.boolean().describe("For a text: more than one line is expected.").optional(),
  yes: z.string().describe("For a confirmation: label of yes, quoted after our own yes. It must not mean no.").optional(),
  no: z.string().describe("For a confirmation: label of no.").optional(),
  consent: z.boolean().describe("For a confirmation: true if yes is consent, false if it is an ordinary value. Without it: consent if there is an\naction, or if nothing else is required.").optional(),
  min: z.int().describe("For a rating: the lowest step; 1 by default.").optional(),
  max: z.int().describe("For a rating: the highest step; 5 by default.").optional(),
  emoji: z.boolean().describe("For a rating: faces are shown along the scale.").optional(),
  annotations: z.record(z.string().regex(new RegExp("^-?\\d+$", "u")), z.string()).describe("For a rating: labels of single steps.").optional(),
  step: NumberSchema.describe("For a number: step of the control. Answers are not checked against it.").optional(),
  placeholder: z.string().describe("An example of what to type, shown and never sent.").optional(),
  prefill: AnswerSchema.describe("The answer to fill in at first, in the form of an outcome's answers. Consent takes none.").optional(),
  constraints: z.array(ConstraintSchema).describe("Constraints on the answer, checked in this order; the first that fails is reported.").optional(),
  show_if: ConditionSchema.describe("Condition under which it is asked; without it always, and a follow-up question once its parent has an answer.").optional(),
}).superRefine((value, ctx) => {
  const issue = (name, message) => ctx.addIssue({ code: "custom", path: [name], message });
  const kind = value.kind ?? (value.options === undefined ? "text" : "choice");
  const suitable = {
    choice: ["options", "multi", "other", "other_label", "other_at"],
    text: ["long"],
    confirm: ["yes", "no", "consent"],
    rating: ["min", "max", "emoji", "annotations"],
    number: ["step"],
  };
  for (const name of Object.entries(suitable).flatMap(([owner, names]) => (owner === kind ? [] : names))) {
    // A member that is false means the same as a missing one.
    const isSaid = value[name] !== undefined && value[name] !== false;
    if (isSaid) issue(name, `${name} does not apply to questions of the kind ${kind}.`);
  }
  if (kind === "choice") {
    const options = value.options ?? [];
    const other = value.other === true || value.other_label !== undefined || value.other_at !== undefined;
    if (options.length === 0 && !other) issue("options", "At least one option is needed.");
    if (value.other_at > options.length) issue("other_at", "There are not as many options.");
    const ids = new Set(options.map((option, index) => option.id ?? `o${index + 1}`));
    if (ids.size < options.length) issue("options", "Duplicate id of an option.");
  }
  if (kind === "rating") {
    const steps = (value.max ?? 5) - (value.min ?? 1) + 1;
    if (steps < 2 || steps > 100) issue("max", "A rating has 2 to 100 steps.");
  }
  if (kind === "number" && Number(value.step ?? 1) <= 0) issue("step", "The step must be above 0.");
}).describe("One question.");

export const SectionSchema = z.looseObject({
  questions: z.array(QuestionSchema).min(1).max(1000).describe("Its questions, in the order asked."),
  id: z.string().min(1).refine((text) => [...text].length <= 200, { error: "Too big: expected string to have <=200 characters" }).describe("Identifies it; numbered where it is left out.").optional(),
  title: z.string().describe("Its heading.").optional(),
  detail: z.string().describe("More about it, shown under the heading. May be Markdown.").optional(),
  optional: z.boolean().describe("May be skipped as a whole: as long as it is empty, nothing in it is required.").optional(),
  submit: z.string().describe("Label of the button that leads to the next section.").optional(),
  show_if: ConditionSchema.describe("Condition under which its questions are asked.").optional(),
}).describe("Questions that belong together.");

export const CompletionTextSchema = z.looseObject({
  answers: z.boolean().describe("Shows the answers.").optional(),
  summary: z.string().describe("A sentence with `{{question id}}` as placeholders for answers.").optional(),
}).describe("Text shown once a questionnaire is answered.");

export const LengthUnitSchema = z.enum([
  "scalar", // Unicode scalar values.
  "utf16", // UTF-16 code units, the `length` of JavaScript: an emoji counts 2.
]).describe("The unit that lengths are counted in.");

export const RulesSchema = z.looseObject({
  length_unit: LengthUnitSchema.describe("The unit of all lengths.").optional(),
  trim_text: z.boolean().describe("Typed text is trimmed before it is checked and sent.").optional(),
  repeated_picks: z.boolean().describe("The same option may be picked more than once and counts each time.").optional(),
  other_alone: z.boolean().describe("A typed own answer replaces the picks of a multiple choice.").optional(),
  empty_other: z.boolean().describe("An empty own answer counts as an answer.").optional(),
  own_answers_match: z.boolean().describe("A typed own answer meets a condition on the option with the same id.").optional(),
  must_be_true: z.boolean().describe("A required confirmation must be yes.").optional(),
  empty_picks: z.boolean().describe("Picking nothing is an answer.").optional(),
  loose_single: z.boolean().describe("Several options may be picked even if one is asked for.").optional(),
  some_answer: z.boolean().describe("At least one question must be answered, though none is required by itself.").optional(),
  blank_text: z.boolean().describe("White space is an answer; an empty text is not.").optional(),
  unjudged: z.boolean().describe("Any answer of its kind may be sent and none is required: the asker judges.").optional(),
  loose_dates: z.boolean().describe("Any text is accepted as a date or time.").optional(),
  own_answers_are_custom: z.boolean().describe("The own answer's default label is custom, as in its format, not other.").optional(),
  reserved: z.array(z.string()).describe("Texts that an own answer must not be, trimmed: they mean something else to the asker.").optional(),
}).describe("The rules of one questionnaire.");

export const UncheckedAnswersSchema = z.enum([
  "accept", // The answer is accepted and marked for the asker.
  "refuse", // The answer is refused.
]).describe("Treatment of an answer whose pattern takes too many steps to check.");

export const QuestionnaireSchema = z.looseObject({
  sayso: z.int().min(1).max(1).describe("The version of this format: 1.").optional(),
  as_is: z.boolean().describe("Accepts, as intended, empty questions and labels, constraints that no answer meets, and a request without\nquestions.").optional(),
  title: z.string().describe("Subject in one line.").optional(),
  context: z.string().describe("Reason for asking: all that a person must know to answer. May be Markdown.").optional(),
  action: ActionSchema.describe("Exactly what you would do if the person agrees, as data. It is shown apart from your words.").optional(),
  questions: z.array(QuestionSchema).max(1000).describe("The questions, in the order asked. Give either these or sections.").optional(),
  sections: z.array(SectionSchema).max(1000).describe("Groups of questions, in the order asked. Give either these or questions.").optional(),
  submit: z.string().describe("Label of the button that sends the answers. A terminal shows it next to its own words.").optional(),
  cancel: z.string().describe("Label of the button that declines. A terminal shows it next to its own words.").optional(),
  completed: CompletionTextSchema.describe("Text shown once it is answered.").optional(),
  rules: RulesSchema.describe("Rules by which answers are checked.").optional(),
  unchecked: UncheckedAnswersSchema.describe("Treatment of an answer whose pattern takes too many steps to check. If consent is asked for, it is refused.").optional(),
  beside: z.looseObject({}).describe("Members of other formats that this one cannot express, by the name of the format. They are kept for the way\nback, and neither shown nor checked.").optional(),
}).superRefine((value, ctx) => {
  const issue = (path, message) => ctx.addIssue({ code: "custom", path, message });
  const [questions, sections] = [value.questions ?? [], value.sections ?? []];
  if (questions.length > 0 && sections.length > 0) issue(["sections"], "Give either questions or sections.");
  if (questions.length + sections.length === 0) issue(["questions"], "At least one question is needed.");
  const [ofQuestions, ofSections] = [new Set(), new Set()];
  const note = (ids, id, path) => {
    if (ids.has(id)) issue([...path, "id"], `Duplicate id "${id}".`);
    ids.add(id);
  };
  let number = 0;
  const asked = [];
  const visit = (list, path) => list.forEach((question, index) => {
    note(ofQuestions, question.id ?? `q${number}`, [...path, index]);
    number += 1;
    const kind = question.kind ?? (question.options === undefined ? "text" : "choice");
    asked.push({ question, kind, path: [...path, index] });
    visit(question.children ?? [], [...path, index, "children"]);
  });
  visit(questions, ["questions"]);
  sections.forEach((section, index) => {
    note(ofSections, section.id ?? `s${index}`, ["sections", index]);
    visit(section.questions, ["sections", index, "questions"]);
  });
  const isConfirm = ({ question, kind }) => kind === "confirm" && question.consent !== false;
  const confirms = asked.filter(isConfirm);
  const required = asked.filter(({ question }) => question.required !== false);
  const decisive = required.length > 0 ? required : asked;
  const isOver = value.action !== undefined;
  const marked = asked.filter(({ question }) => question.consent === true);
  const choices = asked.filter(({ kind }) => kind === "choice");
  const isAll = confirms.length > 0 && (isOver || decisive.every(isConfirm));
  const consent = isAll ? confirms : isOver ? choices : marked;
  if (isOver && consent.length === 0) asked.filter(({ kind }) => kind === "confirm").forEach(({ path }) => {
    issue([...path, "consent"], "With an action, a yes or no is consent.");
  });
  consent.forEach(({ question, path }) => {
    if (question.prefill !== undefined) issue([...path, "prefill"], "Consent cannot be filled in.");
    (question.options ?? []).forEach((option, at) => {
      const place = [...path, "options", at, "recommended"];
      if (option.recommended === true) issue(place, "Consent cannot be suggested.");
    });
  });
}).describe("Questions for a person, in Sayso's own format.");
