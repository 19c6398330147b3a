// The forms in survey-core, conditions included.

import { Model } from "survey-core";
import { bound, every } from "./questionnaire.mjs";

// It checks answers to a form, not requests.
export const requests = {};

function element(question, parent) {
  const shown = question.show_if;
  const common = {
    name: question.id,
    title: question.prompt,
    isRequired: true,
    ...(shown && { visibleIf: `{${shown.question ?? parent}} = '${shown.is}'` }),
  };
  if (question.kind === "confirm") return { ...common, type: "boolean" };
  if (question.kind === "text") {
    const maxLength = bound(question, "max_length");
    return { ...common, type: "comment", ...(maxLength && { validators: [{ type: "text", maxLength }] }) };
  }
  const choices = question.options.map(({ id, label }) => ({ value: id, text: label }));
  if (!question.multi) return { ...common, type: "radiogroup", choices };
  const maxCount = bound(question, "max_picks");
  return { ...common, type: "checkbox", choices, ...(maxCount && { validators: [{ type: "answercount", maxCount }] }) };
}

function elements(questions, parent, found = []) {
  for (const question of questions) {
    found.push(element(question, parent));
    if (question.children) elements(question.children, question.id, found);
  }
  return found;
}

const model = (questionnaire) => new Model({ elements: elements(questionnaire.questions) });

/** A checker of `{answers}` to a questionnaire. */
export function form(questionnaire) {
  const survey = model(questionnaire);
  return ({ answers }) => {
    survey.data = answers;
    return survey.validate(false);
  };
}

/** Changes the first answer to and fro; fails unless as many questions come and go as look at it. */
export function changing(questionnaire, { answers }) {
  const survey = model(questionnaire);
  survey.data = answers;
  const first = questionnaire.questions[0];
  const flips = first.children.length;
  const all = every(questionnaire.questions).length;
  const visible = () => survey.getAllQuestions(true).length;
  if (visible() !== all) throw new Error(`${visible()} of ${all} questions are shown`);
  const other = first.options.map(({ id }) => id).find((id) => id !== answers[first.id]);
  let shown = true;
  const change = () => {
    shown = !shown;
    survey.setValue(first.id, shown ? answers[first.id] : other);
  };
  change();
  if (visible() !== all - flips) throw new Error(`${visible()} questions are left, not ${all - flips}`);
  change();
  if (visible() !== all) throw new Error("not all questions came back");
  return change;
}
