// What several peers need: our canonical questionnaire gone through, and patterns tried.

/** Whether a pattern is one: it is refused when the question is asked. */
export function compiles(pattern) {
  try {
    return Boolean(new RegExp(pattern, "u"));
  } catch {
    return false;
  }
}

/** Every question, each followed by those that follow it up. */
export function every(questions, found = []) {
  for (const question of questions) {
    found.push(question);
    if (question.children) every(question.children, found);
  }
  return found;
}

/** The bound of this name among the constraints of a question. */
export function bound({ constraints }, name) {
  return constraints?.find((constraint) => name in constraint)?.[name];
}
