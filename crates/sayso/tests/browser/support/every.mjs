// Every kind of question and every type of field, each in a request, and the steps by which a person answers them: the
// id of a question, its words, its control, and the answer. The tests of the page read the same file.
import { readFileSync } from "node:fs";

const { kinds, fields } = JSON.parse(readFileSync(`${import.meta.dirname}/every.json`, "utf8"));

/** Every kind of question, in each of its controls. */
export const { request: KINDS, steps: KIND_STEPS, answers: KIND_ANSWERS } = kinds;

/** Every type of field, in a form of the interaction format. */
export const { request: FIELDS, steps: FIELD_STEPS, input: FIELD_INPUT } = fields;
