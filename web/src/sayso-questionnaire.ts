// Entry of the bundle: defines `<sayso-questionnaire>` once.
import { SaysoQuestionnaire } from "./element.ts";

if (customElements.get("sayso-questionnaire") === undefined) {
  customElements.define("sayso-questionnaire", SaysoQuestionnaire);
}
