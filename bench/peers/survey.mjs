// The forms in survey-core, conditions included.

import { Model } from "survey-core";
import { bound } from "./questionnaire.mjs";

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
