// Made by `cargo xtask codegen` from `sayso schema auq --as zod`: do not edit.
// Plugin of OpenCode: the tool `ask_user_questions`, with the schemas of AUQ, inline. A person answers at the desk.
import { spawn } from "node:child_process";
import { tool } from "@opencode-ai/plugin";

const z = tool.schema;

/** Program that brings the questions to the desk. */
const PROGRAM = process.env.SAYSO_PROGRAM ?? "sayso";
