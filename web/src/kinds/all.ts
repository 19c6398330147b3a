// The control of each kind of question.
import type { KindName } from "../../../schemas/sayso/request.ts";
import type { FormQuestion } from "../form.ts";
import { create as choice } from "./choice.ts";
import { create as confirm } from "./confirm.ts";
import type { CreateControl } from "./control.ts";
import { create as date } from "./date.ts";
import { create as number } from "./number.ts";
import { create as rating } from "./rating.ts";
import { create as text } from "./text.ts";

/** The maker of each kind. */
export const KINDS: Record<KindName, CreateControl<FormQuestion>> = {
  choice, text, confirm, rating, number, date, time: date, datetime: date,
};
