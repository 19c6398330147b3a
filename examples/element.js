// Live examples of the element: a request in a box, the form that it makes, and what the form reports.
import "/sayso-questionnaire.js";

const at = (id) => document.getElementById(id);
const form = at("form");
const examples = await (await fetch("/examples/element.json")).json();

const show = () => {
  try {
    form.request = JSON.parse(at("request").value);
    at("wrong").textContent = "";
  } catch (error) {
    at("wrong").textContent = error.message;
  }
};
const choose = () => {
  at("request").value = JSON.stringify(examples[at("examples").value], null, 2);
  at("report").textContent = "Nothing yet: pick or type something.";
  form.completed = null;
  show();
};

at("examples").append(...Object.keys(examples).map((name) => new Option(name, name)));
at("examples").addEventListener("change", choose);
at("request").addEventListener("input", show);
at("lang").addEventListener("change", () => { form.lang = at("lang").value; });
at("disabled").addEventListener("change", () => { form.disabled = at("disabled").checked; });
for (const name of ["sayso-change", "sayso-submit", "sayso-decline"]) {
  form.addEventListener(name, ({ detail }) => { at("report").textContent = `${name} ${JSON.stringify(detail, null, 2)}`; });
}
form.addEventListener("sayso-submit", ({ detail }) => { form.completed = { outcome: "answered", replies: detail.replies }; });
form.addEventListener("sayso-decline", ({ detail }) => { form.completed = { outcome: "declined", ...detail }; });
choose();
