// Made by `sayso schema questionnaire --as zod`: do not edit.

import * as z from "zod";

export const OptionSchema = z.looseObject({
  value: z.string().describe("What comes back for it."),
  label: z.string().describe("What the person reads."),
  description: z.string().describe("What it means, shown under the label.").optional(),
}).describe("Something that can be picked.");

export const ConstraintSchema = z.discriminatedUnion("type", [
  z.looseObject({
    type: z.literal("required").describe("What is demanded."),
    message: z.string().describe("Message shown to the person if the answer fails."),
  }),
  z.looseObject({
    type: z.enum(["minSelect", "maxSelect", "minLength", "maxLength"]).describe("What is demanded."),
    message: z.string().describe("Message shown to the person if the answer fails."),
    value: z.int().min(1).describe("How many options for minSelect and maxSelect; how many characters for minLength and maxLength."),
  }),
  z.looseObject({
    type: z.literal("pattern").describe("What is demanded."),
    message: z.string().describe("Message shown to the person if the answer fails."),
    value: z.string().refine((text) => text.length <= 1000, { error: "Too big: expected string to have <=1000 characters" }).describe("A JavaScript regular expression without slashes and flags, of at most 1000 characters, which matches anywhere unless it has ^ and $. There are at most 200 in one call."),
  }),
]).describe("What an answer must be like. minSelect and maxSelect count options, minLength, maxLength and pattern judge texts, and required has the words for a missing answer.");

export const SelectQuestionSchema = z.looseObject({
  id: z.string().describe("Identifies the question; its answer comes back under this name. No two questions have the same."),
  type: z.literal("select").describe("Always `select`."),
  label: z.string().describe("A short name for tabs and lists."),
  prompt: z.string().describe("The question itself, in full."),
  maxSelect: z.literal(1).describe("Always 1: one is picked."),
  options: z.array(OptionSchema).min(1).max(1000).describe("What can be picked, in the order shown. An own answer is always offered after the last."),
  get children() { return z.array(QuestionSchema).max(1000).describe("Questions that follow this one up, asked right after it once it is answered, or only for the answer that their showIf names. They may have children themselves, up to 16 levels deep.").optional(); },
  showIf: z.looseObject({
    value: z.string().describe("An option's value or an own answer; for a confirmation true, false or the button's label; for a rating the number as text; for a text exactly that text."),
  }).describe("In children only: the answer to the parent that this question is asked for.").optional(),
  constraints: z.array(ConstraintSchema).max(49).describe("What an answer must be like, checked in this order; the first that fails is reported.").optional(),
}).describe("A choice of one option, or an own answer.");

export const MultiSelectQuestionSchema = z.looseObject({
  id: z.string().describe("Identifies the question; its answer comes back under this name. No two questions have the same."),
  type: z.literal("multiSelect").describe("Always `multiSelect`."),
  label: z.string().describe("A short name for tabs and lists."),
  prompt: z.string().describe("The question itself, in full."),
  maxSelect: z.int().min(2).describe("How many may be picked at most, the person's own answer included; 2 or more."),
  options: z.array(OptionSchema).min(1).max(1000).describe("What can be picked, in the order shown. An own answer is always offered after the last."),
  get children() { return z.array(QuestionSchema).max(1000).describe("Questions that follow this one up, asked right after it once it is answered, or only for the answer that their showIf names. They may have children themselves, up to 16 levels deep.").optional(); },
  showIf: z.looseObject({
    value: z.string().describe("An option's value or an own answer; for a confirmation true, false or the button's label; for a rating the number as text; for a text exactly that text."),
  }).describe("In children only: the answer to the parent that this question is asked for.").optional(),
  constraints: z.array(ConstraintSchema).max(49).describe("What an answer must be like, checked in this order; the first that fails is reported.").optional(),
}).describe("A choice of several options; an own answer may be one of them.");

export const TextQuestionSchema = z.looseObject({
  id: z.string().describe("Identifies the question; its answer comes back under this name. No two questions have the same."),
  type: z.literal("text").describe("Always `text`."),
  label: z.string().describe("A short name for tabs and lists."),
  prompt: z.string().describe("The question itself, in full."),
  get children() { return z.array(QuestionSchema).max(1000).describe("Questions that follow this one up, asked right after it once it is answered, or only for the answer that their showIf names. They may have children themselves, up to 16 levels deep.").optional(); },
  showIf: z.looseObject({
    value: z.string().describe("An option's value or an own answer; for a confirmation true, false or the button's label; for a rating the number as text; for a text exactly that text."),
  }).describe("In children only: the answer to the parent that this question is asked for.").optional(),
  constraints: z.array(ConstraintSchema).max(49).describe("What an answer must be like, checked in this order; the first that fails is reported.").optional(),
  multiline: z.boolean().describe("Whether several lines are expected.").optional(),
  placeholder: z.string().describe("An example of what to type, shown in the empty field and never sent.").optional(),
}).superRefine((value, ctx) => {
  (value.constraints ?? []).forEach((constraint, index) => {
    if (constraint.type !== "pattern") return;
    try { new RegExp(constraint.value); } catch (error) {
      ctx.addIssue({ code: "custom", path: ["constraints", index, "value"], message: String(error) });
    }
  });
}).describe("A text to be typed.");

export const ConfirmQuestionSchema = z.looseObject({
  id: z.string().describe("Identifies the question; its answer comes back under this name. No two questions have the same."),
  type: z.literal("confirm").describe("Always `confirm`."),
  label: z.string().describe("A short name for tabs and lists."),
  prompt: z.string().describe("The question itself, in full."),
  get children() { return z.array(QuestionSchema).max(1000).describe("Questions that follow this one up, asked right after it once it is answered, or only for the answer that their showIf names. They may have children themselves, up to 16 levels deep.").optional(); },
  showIf: z.looseObject({
    value: z.string().describe("An option's value or an own answer; for a confirmation true, false or the button's label; for a rating the number as text; for a text exactly that text."),
  }).describe("In children only: the answer to the parent that this question is asked for.").optional(),
  constraints: z.array(ConstraintSchema).max(49).describe("What an answer must be like, checked in this order; the first that fails is reported.").optional(),
  noLabel: z.string().describe("What is on the button for no.").optional(),
  yesLabel: z.string().describe("What is on the button for yes.").optional(),
}).describe("A yes or a no. Until one is chosen it is neither.");

export const RatingQuestionSchema = z.looseObject({
  id: z.string().describe("Identifies the question; its answer comes back under this name. No two questions have the same."),
  type: z.literal("rating").describe("Always `rating`."),
  label: z.string().describe("A short name for tabs and lists."),
  prompt: z.string().describe("The question itself, in full."),
  range: z.looseObject({
    min: z.literal(1).describe("Always 1."),
    max: z.literal(5).describe("Always 5."),
  }).describe("The scale."),
  get children() { return z.array(QuestionSchema).max(1000).describe("Questions that follow this one up, asked right after it once it is answered, or only for the answer that their showIf names. They may have children themselves, up to 16 levels deep.").optional(); },
  showIf: z.looseObject({
    value: z.string().describe("An option's value or an own answer; for a confirmation true, false or the button's label; for a rating the number as text; for a text exactly that text."),
  }).describe("In children only: the answer to the parent that this question is asked for.").optional(),
  constraints: z.array(ConstraintSchema).max(49).describe("What an answer must be like, checked in this order; the first that fails is reported.").optional(),
  annotations: z.record(z.string(), z.string()).describe("What single steps mean, by their number.").optional(),
  showEmoji: z.boolean().describe("Whether faces are shown along the scale.").optional(),
}).describe("A whole number from 1 to 5. Until one is chosen it is none.");

export const QuestionSchema = z.discriminatedUnion("type", [
  SelectQuestionSchema,
  MultiSelectQuestionSchema,
  TextQuestionSchema,
  ConfirmQuestionSchema,
  RatingQuestionSchema,
]).describe("A question of one of five types.");

export const QuestionnaireParamsSchema = z.looseObject({
  questions: z.array(QuestionSchema).min(1).max(1000).describe("The questions, in the order asked. With all their children there are at most 1000."),
}).superRefine((value, ctx) => {
  const issue = (path, message) => ctx.addIssue({ code: "custom", path, message });
  const seen = new Set();
  let [count, patterns] = [0, 0];
  const look = (questions, path, depth) => questions.forEach((question, index) => {
    const here = [...path, index];
    count += 1;
    if (seen.has(question.id)) issue([...here, "id"], `Duplicate id "${question.id}".`);
    seen.add(question.id);
    if (depth > 16) issue(here, "Follow-up questions are nested more than 16 levels deep.");
    const constraints = question.type === "text" ? question.constraints ?? [] : [];
    patterns += constraints.filter((constraint) => constraint.type === "pattern").length;
    look(question.children ?? [], [...here, "children"], depth + 1);
  });
  look(value.questions, ["questions"], 0);
  if (count > 1000) issue(["questions"], "At most 1000 questions are allowed, children included.");
  if (patterns > 200) issue(["questions"], "At most 200 patterns are allowed.");
}).describe("Questions for a person, asked together and answered together.");
