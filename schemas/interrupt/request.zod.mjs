// Made by `sayso schema interrupt --as zod`: do not edit.

import * as z from "zod";

export const QuestionOptionSchema = z.looseObject({
  label: z.string().describe("What the person reads."),
  value: z.string().describe("What you get when this is chosen. Where the person types an answer, you get the text instead."),
  allow_custom: z.boolean().describe("Whether choosing this lets the person type an answer. At most one option of a question should.").optional(),
}).describe("One option of a question.");

export const QuestionSchema = z.looseObject({
  question: z.string().describe("What is asked, as a whole sentence that can be understood by itself."),
  options: z.array(QuestionOptionSchema).min(1).max(1000).describe("What can be chosen, in the order shown. One of them is."),
}).describe("One question with the options to choose from.");

export const ActionRequestSchema = z.looseObject({
  name: z.string().describe("The tool."),
  args: z.union([
    z.looseObject({}),
    z.null(),
  ]).describe("What it would be given.").optional(),
}).describe("A tool call that waits for a decision.");

export const InterruptOptionSchema = z.union([
  z.string(),
  z.looseObject({
    label: z.string().describe("What the person reads."),
    value: z.union([
      z.string(),
      z.null(),
    ]).describe("What it stands for: continue or cancel.").optional(),
  }),
]).describe("A choice of a decision. Give the one that goes on the value continue and the others the value cancel, under labels that say the same. Other words for yes and no are understood as values and as labels; exactly one choice must clearly agree.");

export const InterruptSchema = z.looseObject({
  info: z.union([
    z.string(),
    z.null(),
  ]).describe("What is going on, in a sentence.").optional(),
  taskName: z.union([
    z.string(),
    z.null(),
  ]).describe("What the task is called.").optional(),
  data: z.union([
    z.looseObject({
      action_requests: z.union([
        z.array(ActionRequestSchema).max(1),
        z.null(),
      ]).describe("The call that waits for the decision. Each call has an interrupt of its own.").optional(),
    }),
    z.null(),
  ]).describe("What the agent's runtime says of the call.").optional(),
  options: z.union([
    z.array(InterruptOptionSchema).max(1000),
    z.null(),
  ]).describe("What the choices of a decision are called.").optional(),
  questions: z.union([
    z.array(QuestionSchema).max(1000),
    z.null(),
  ]).describe("The questions; null or empty for a decision.").optional(),
}).superRefine((value, ctx) => {
  const words = [value.info, value.taskName].some((text) => text?.trim());
  if (!words && !value.questions?.length && !value.data?.action_requests?.length) {
    ctx.addIssue({ code: "custom", path: ["questions"], message: "nothing is asked" });
  }
}).describe("The data of an interrupt event. With questions it is answered; without, it is a decision whether to go on with what info, taskName and data say.");

export const ResumeRequestSchema = z.looseObject({
  action: z.enum(["continue", "cancel", "answer"]).describe("answer for questions; continue or cancel for a decision; cancel also declines questions."),
  reason: z.string().describe("With cancel: why, for the agent. It may be left out.").optional(),
  answers: z.union([
    z.array(z.string()),
    z.null(),
  ]).describe("With answer: an answer to each question, in their order.").optional(),
}).superRefine((value, ctx) => {
  if (value.action === "answer" && !value.answers?.length) {
    ctx.addIssue({ code: "custom", path: ["answers"], message: "answers is required when action is 'answer'" });
  }
}).describe("What a client sends to resume a thread.");

export const AskUserSchema = z.looseObject({
  questions: z.array(QuestionSchema).min(1).max(1000).describe("The questions, in the order asked. The answers come back in the same order."),
}).describe("Questions for a person: the arguments of ask_user, or an interrupt that has questions. An interrupt without questions, which asks for a decision, is an Interrupt.");
