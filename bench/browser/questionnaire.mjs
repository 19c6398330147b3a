// The questionnaire of the browser rows, for ourselves and for the peers: 200 questions of the kinds that all have.

export const COUNT = 200;
const COLOURS = ["Red", "Green", "Blue", "Yellow"];
const KINDS = ["text", "choice", "text", "number", "multi", "text", "confirm", "choice"];

const all = Array.from({ length: COUNT }, (_, at) => ({ id: `q${at}`, kind: KINDS[at % KINDS.length], prompt: `Question ${at + 1}` }));
const options = (id) => COLOURS.map((label) => ({ id: `${id}-${label}`, label }));

/** In Sayso's own format. */
export const sayso = {
  title: "Two hundred questions",
  questions: all.map(({ id, kind, prompt }) => {
    if (kind === "choice" || kind === "multi") return { id, prompt, options: options(id), multi: kind === "multi", required: false };
    return { id, kind, prompt, required: false };
  }),
};

/** For SurveyJS. */
export const survey = {
  title: "Two hundred questions",
  textUpdateMode: "onTyping",
  elements: all.map(({ id, kind, prompt }) => {
    const choices = COLOURS.map((text) => ({ value: text, text }));
    const types = { text: { type: "text" }, number: { type: "text", inputType: "number" }, choice: { type: "radiogroup", choices }, multi: { type: "checkbox", choices }, confirm: { type: "boolean" } };
    return { name: id, title: prompt, ...types[kind] };
  }),
};

const bound = (id) => ({ path: `/${id}` });
const pickerOptions = COLOURS.map((label) => ({ label, value: label }));

/** For A2UI: the components of a surface, and its data. */
export const a2ui = {
  components: [
    { id: "root", component: "Column", children: all.map(({ id }) => id) },
    ...all.map(({ id, kind, prompt: label }) => ({
      id,
      ...{
        text: { component: "TextField", label, value: bound(id) },
        number: { component: "TextField", variant: "number", label, value: bound(id) },
        choice: { component: "ChoicePicker", label, options: pickerOptions, value: bound(id) },
        multi: { component: "ChoicePicker", variant: "multipleSelection", label, options: pickerOptions, value: bound(id) },
        confirm: { component: "CheckBox", label, value: bound(id) },
      }[kind],
    })),
  ],
  data: Object.fromEntries(all.map(({ id, kind }) => [id, { choice: [], multi: [], confirm: false }[kind] ?? ""])),
};
