// Made by `cargo xtask codegen` from `sayso schema questionnaire --as tool`: do not edit.
// Extension of pi: the tool `questionnaire`. A person answers at the desk. Copy it to ~/.pi/agent/extensions/sayso.ts.
import { spawn } from "node:child_process";

/** Program that brings the questions to the desk. SAYSO_DESK and SAYSO_TOKEN_FILE name a desk on the network. */
const PROGRAM = process.env.SAYSO_PROGRAM ?? "sayso";

