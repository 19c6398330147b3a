// A question as @clack/prompts or inquirer asks it: `node prompt.mjs LIBRARY QUESTION`, QUESTION as
// `{"prompt": …, "options": [label, …]}`.

const [library, question] = process.argv.slice(2);
const { prompt, options } = JSON.parse(question);

// Only the library that is asked for is loaded.
const ask = {
  async clack() {
    const { select } = await import("@clack/prompts");
    return select({ message: prompt, options: options.map((label) => ({ value: label, label })) });
  },
  async inquirer() {
    const { default: inquirer } = await import("inquirer");
    return inquirer.prompt([{ type: "select", name: "one", message: prompt, choices: options }]);
  },
};
await ask[library]();
