import { visible } from "../dom.ts";
import { say } from "../words.ts";

/** Asker as a row or an ask has it. */
export interface ShownAsker {
  name: string;
  account?: string | undefined;
  program?: string | undefined;
}

/** Names that say nothing. */
const UNNAMED = ["", "a program", "an agent"];

/** Returns an asker's name: its proven account first, then what it calls itself, as a quotation. */
export function askerName({ name, account, program }: ShownAsker): string {
  const own = UNNAMED.includes(name.trim()) ? undefined : visible(name);
  if (account) return own && name !== account ? say("ClaimsToBe", visible(account), own) : visible(account);
  if (own) return own;
  if (program) return say("GuessedProgram", visible(program));
  return say(name.trim() === "a program" ? "SomeProgram" : "SomeAsker");
}

/** Returns the last part of a folder, with what is before it left out. */
export function folderName(folder: string): string {
  const parts = visible(folder).split("/").filter(Boolean);
  return parts.length > 2 ? `…/${parts.slice(-2).join("/")}` : visible(folder);
}
