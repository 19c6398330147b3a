// Made by `cargo xtask codegen` from the message catalogue of sayso-core.
import type { Sentence } from "../src/i18n.ts";

export const AnswersChanged: Sentence = ["The answers were changed in the meantime, so nothing was sent.", "答案在此期间已更改，因此未提交。"];
export const AnswerAtDesk: Sentence = ["Answer at the desk", "前往服务台回答"];
export const AnswerThere: Sentence = ["This is answered at the desk. In a terminal: {0}", "请在服务台回答。在终端中运行：{0}"];
export const ConsentThere: Sentence = ["Consent is given at the desk, with what you type here. In a terminal: {0}", "请在服务台表示同意，您在此输入的内容会一并带过去。在终端中运行：{0}"];
export const AnswerLost: Sentence = ["The program could not send this. Your answers are still here. In a terminal: {0}", "程序未能发送。您的答案仍保留在此处。也可在终端中运行：{0}"];
