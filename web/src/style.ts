// The style sheet, made once and shared by all elements of a page.
import css from "./style.css";

let sheet: CSSStyleSheet | undefined;

/** Returns the style sheet. */
export function createStyles(): CSSStyleSheet {
  if (sheet === undefined) {
    sheet = new CSSStyleSheet();
    sheet.replaceSync(css);
  }
  return sheet;
}
