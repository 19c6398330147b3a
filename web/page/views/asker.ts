import { isPlainName } from "../../src/text/display.ts";
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

/** Returns whether a sentence of ours can quote an asker's name: a plain one, or a well-known one with a space. */
function isPlain(name: string): boolean {
  return isPlainName(name) || ["Claude Code", "Copilot CLI", "Gemini CLI", "VS Code"].includes(name);
}

/** Returns an asker's name next to other text: its proven account first; what it calls itself is quoted, unless plain. */
export function askerName({ name, account, program }: ShownAsker): string {
  const own = ownName(name);
  if (account) return own && name !== account ? say("ClaimsToBe", visible(account), own) : visible(account);
  if (own) return isPlain(own) ? own : say("Quoted", own);
  return program ? say("GuessedProgram", program) : unnamed(name);
}

/** Returns an asker's name within a sentence of ours: a plain one is quoted, any other is left out. */
export function askerInSentence({ name, account, program }: ShownAsker): string {
  const own = ownName(name);
  if (account) return own && isPlain(own) && name !== account ? say("ClaimsToBe", visible(account), own) : visible(account);
  if (own) return isPlain(own) ? say("Quoted", own) : say("SomeAsker");
  return program && isPlainName(program) ? say("GuessedProgram", program) : unnamed(name);
}

function ownName(name: string): string | undefined {
  return UNNAMED.includes(name.trim()) ? undefined : name;
}

function unnamed(name: string): string {
  return say(name.trim() === "a program" ? "SomeProgram" : "SomeAsker");
}

/** Returns the last part of a folder, with what is before it left out. */
export function folderName(folder: string): string {
  const parts = folder.split("/").filter(Boolean);
  const short = parts.length > 2 ? `…/${parts.slice(-2).join("/")}` : folder;
  return isPlainName(folder) ? short : say("Quoted", short);
}
