// Made by `cargo xtask codegen` from `sayso schema questionnaire --as tool`: do not edit.
// Extension of pi: the tool `questionnaire`. A person answers at the desk. Copy it to ~/.pi/agent/extensions/sayso.ts.
import { spawn } from "node:child_process";

/** Program that brings the questions to the desk. SAYSO_DESK and SAYSO_TOKEN_FILE name a desk on the network. */
const PROGRAM = process.env.SAYSO_PROGRAM ?? "sayso";

const TOOL = {
  "name": "questionnaire",
  "description": "Ask the person questions and wait for the answers: one or several of some options, a text, yes or no, a rating from 1 to 5. Every question that is asked must be answered, and an own answer can always be typed instead of an option. Put all you need to know into one call, and use children for questions that only some answers call for.",
  "input_schema": {
    "title": "QuestionnaireParams",
    "description": "Questions for a person, asked together and answered together.",
    "type": "object",
    "properties": {
      "questions": {
        "description": "The questions, in the order asked. With all their children there are at most 1000.",
        "type": "array",
        "items": {
          "$ref": "#/$defs/Question"
        },
        "minItems": 1,
        "maxItems": 1000
      }
    },
    "required": [
      "questions"
    ],
    "$defs": {
      "Question": {
        "description": "A question of one of five types.",
        "oneOf": [
          {
            "$ref": "#/$defs/SelectQuestion"
          },
          {
            "$ref": "#/$defs/MultiSelectQuestion"
          },
          {
            "$ref": "#/$defs/TextQuestion"
          },
          {
            "$ref": "#/$defs/ConfirmQuestion"
          },
          {
            "$ref": "#/$defs/RatingQuestion"
          }
        ]
      },
      "Constraint": {
        "description": "What an answer must be like. minSelect and maxSelect count options, minLength, maxLength and pattern judge texts, and required has the words for a missing answer.",
        "oneOf": [
          {
            "type": "object",
            "properties": {
              "type": {
                "description": "What is demanded.",
                "const": "required"
              },
              "message": {
                "description": "Message shown to the person if the answer fails.",
                "type": "string"
              }
            },
            "required": [
              "type",
              "message"
            ]
          },
          {
            "type": "object",
            "properties": {
              "type": {
                "description": "What is demanded.",
                "enum": [
                  "minSelect",
                  "maxSelect",
                  "minLength",
                  "maxLength"
                ]
              },
              "message": {
                "description": "Message shown to the person if the answer fails.",
                "type": "string"
              },
              "value": {
                "description": "How many options for minSelect and maxSelect; how many characters for minLength and maxLength.",
                "type": "integer",
                "minimum": 1
              }
            },
            "required": [
              "type",
              "message",
              "value"
            ]
          },
          {
            "type": "object",
            "properties": {
              "type": {
                "description": "What is demanded.",
                "const": "pattern"
              },
              "message": {
                "description": "Message shown to the person if the answer fails.",
                "type": "string"
              },
              "value": {
                "description": "A JavaScript regular expression without slashes and flags, of at most 1000 characters, which matches anywhere unless it has ^ and $. There are at most 200 in one call.",
                "type": "string",
                "maxLength": 1000
              }
            },
            "required": [
              "type",
              "message",
              "value"
            ]
          }
        ]
      },
      "Option": {
        "description": "Something that can be picked.",
        "type": "object",
        "properties": {
          "value": {
            "description": "What comes back for it.",
            "type": "string"
          },
          "label": {
            "description": "What the person reads.",
            "type": "string"
          },
          "description": {
            "description": "What it means, shown under the label.",
            "type": "string"
          }
        },
        "required": [
          "value",
          "label"
        ]
      },
      "SelectQuestion": {
        "description": "A choice of one option, or an own answer.",
        "type": "object",
        "properties": {
          "id": {
            "description": "Identifies the question; its answer comes back under this name. No two questions have the same.",
            "type": "string",
            "examples": [
              "language"
            ]
          },
          "type": {
            "description": "Always `select`.",
            "const": "select"
          },
          "label": {
            "description": "A short name for tabs and lists.",
            "type": "string"
          },
          "prompt": {
            "description": "The question itself, in full.",
            "type": "string"
          },
          "maxSelect": {
            "description": "Always 1: one is picked.",
            "const": 1
          },
          "options": {
            "description": "What can be picked, in the order shown. An own answer is always offered after the last.",
            "type": "array",
            "items": {
              "$ref": "#/$defs/Option"
            },
            "minItems": 1,
            "maxItems": 1000
          },
          "constraints": {
            "description": "What an answer must be like, checked in this order; the first that fails is reported.",
            "type": "array",
            "items": {
              "$ref": "#/$defs/Constraint"
            },
            "maxItems": 49
          },
          "showIf": {
            "description": "In children only: the answer to the parent that this question is asked for.",
            "type": "object",
            "properties": {
              "value": {
                "description": "An option's value or an own answer; for a confirmation true, false or the button's label; for a rating the number as text; for a text exactly that text.",
                "type": "string"
              }
            },
            "required": [
              "value"
            ]
          },
          "children": {
            "description": "Questions that follow this one up, asked right after it once it is answered, or only for the answer that their showIf names. They may have children themselves, up to 16 levels deep.",
            "type": "array",
            "items": {
              "$ref": "#/$defs/Question"
            },
            "maxItems": 1000
          }
        },
        "required": [
          "id",
          "type",
          "label",
          "prompt",
          "maxSelect",
          "options"
        ]
      },
      "MultiSelectQuestion": {
        "description": "A choice of several options; an own answer may be one of them.",
        "type": "object",
        "properties": {
          "id": {
            "description": "Identifies the question; its answer comes back under this name. No two questions have the same.",
            "type": "string",
            "examples": [
              "language"
            ]
          },
          "type": {
            "description": "Always `multiSelect`.",
            "const": "multiSelect"
          },
          "label": {
            "description": "A short name for tabs and lists.",
            "type": "string"
          },
          "prompt": {
            "description": "The question itself, in full.",
            "type": "string"
          },
          "maxSelect": {
            "description": "How many may be picked at most, the person's own answer included; 2 or more.",
            "type": "integer",
            "minimum": 2,
            "examples": [
              3
            ]
          },
          "options": {
            "description": "What can be picked, in the order shown. An own answer is always offered after the last.",
            "type": "array",
            "items": {
              "$ref": "#/$defs/Option"
            },
            "minItems": 1,
            "maxItems": 1000
          },
          "constraints": {
            "description": "What an answer must be like, checked in this order; the first that fails is reported.",
            "type": "array",
            "items": {
              "$ref": "#/$defs/Constraint"
            },
            "maxItems": 49
          },
          "showIf": {
            "description": "In children only: the answer to the parent that this question is asked for.",
            "type": "object",
            "properties": {
              "value": {
                "description": "An option's value or an own answer; for a confirmation true, false or the button's label; for a rating the number as text; for a text exactly that text.",
                "type": "string"
              }
            },
            "required": [
              "value"
            ]
          },
          "children": {
            "description": "Questions that follow this one up, asked right after it once it is answered, or only for the answer that their showIf names. They may have children themselves, up to 16 levels deep.",
            "type": "array",
            "items": {
              "$ref": "#/$defs/Question"
            },
            "maxItems": 1000
          }
        },
        "required": [
          "id",
          "type",
          "label",
          "prompt",
          "maxSelect",
          "options"
        ]
      },
      "TextQuestion": {
        "description": "A text to be typed.",
        "type": "object",
        "properties": {
          "id": {
            "description": "Identifies the question; its answer comes back under this name. No two questions have the same.",
            "type": "string",
            "examples": [
              "language"
            ]
          },
          "type": {
            "description": "Always `text`.",
            "const": "text"
          },
          "label": {
            "description": "A short name for tabs and lists.",
            "type": "string"
          },
          "prompt": {
            "description": "The question itself, in full.",
            "type": "string"
          },
          "placeholder": {
            "description": "An example of what to type, shown in the empty field and never sent.",
            "type": "string"
          },
          "multiline": {
            "description": "Whether several lines are expected.",
            "type": "boolean",
            "default": false
          },
          "constraints": {
            "description": "What an answer must be like, checked in this order; the first that fails is reported.",
            "type": "array",
            "items": {
              "$ref": "#/$defs/Constraint"
            },
            "maxItems": 49
          },
          "showIf": {
            "description": "In children only: the answer to the parent that this question is asked for.",
            "type": "object",
            "properties": {
              "value": {
                "description": "An option's value or an own answer; for a confirmation true, false or the button's label; for a rating the number as text; for a text exactly that text.",
                "type": "string"
              }
            },
            "required": [
              "value"
            ]
          },
          "children": {
            "description": "Questions that follow this one up, asked right after it once it is answered, or only for the answer that their showIf names. They may have children themselves, up to 16 levels deep.",
            "type": "array",
            "items": {
              "$ref": "#/$defs/Question"
            },
            "maxItems": 1000
          }
        },
        "required": [
          "id",
          "type",
          "label",
          "prompt"
        ]
      },
      "ConfirmQuestion": {
        "description": "A yes or a no. Until one is chosen it is neither.",
        "type": "object",
        "properties": {
          "id": {
            "description": "Identifies the question; its answer comes back under this name. No two questions have the same.",
            "type": "string",
            "examples": [
              "language"
            ]
          },
          "type": {
            "description": "Always `confirm`.",
            "const": "confirm"
          },
          "label": {
            "description": "A short name for tabs and lists.",
            "type": "string"
          },
          "prompt": {
            "description": "The question itself, in full.",
            "type": "string"
          },
          "yesLabel": {
            "description": "What is on the button for yes.",
            "type": "string",
            "default": "是"
          },
          "noLabel": {
            "description": "What is on the button for no.",
            "type": "string",
            "default": "否"
          },
          "constraints": {
            "description": "What an answer must be like, checked in this order; the first that fails is reported.",
            "type": "array",
            "items": {
              "$ref": "#/$defs/Constraint"
            },
            "maxItems": 49
          },
          "showIf": {
            "description": "In children only: the answer to the parent that this question is asked for.",
            "type": "object",
            "properties": {
              "value": {
                "description": "An option's value or an own answer; for a confirmation true, false or the button's label; for a rating the number as text; for a text exactly that text.",
                "type": "string"
              }
            },
            "required": [
              "value"
            ]
          },
          "children": {
            "description": "Questions that follow this one up, asked right after it once it is answered, or only for the answer that their showIf names. They may have children themselves, up to 16 levels deep.",
            "type": "array",
            "items": {
              "$ref": "#/$defs/Question"
            },
            "maxItems": 1000
          }
        },
        "required": [
          "id",
          "type",
          "label",
          "prompt"
        ]
      },
      "RatingQuestion": {
        "description": "A whole number from 1 to 5. Until one is chosen it is none.",
        "type": "object",
        "properties": {
          "id": {
            "description": "Identifies the question; its answer comes back under this name. No two questions have the same.",
            "type": "string",
            "examples": [
              "language"
            ]
          },
          "type": {
            "description": "Always `rating`.",
            "const": "rating"
          },
          "label": {
            "description": "A short name for tabs and lists.",
            "type": "string"
          },
          "prompt": {
            "description": "The question itself, in full.",
            "type": "string"
          },
          "range": {
            "description": "The scale.",
            "type": "object",
            "properties": {
              "min": {
                "description": "Always 1.",
                "const": 1
              },
              "max": {
                "description": "Always 5.",
                "const": 5
              }
            },
            "required": [
              "min",
              "max"
            ]
          },
          "showEmoji": {
            "description": "Whether faces are shown along the scale.",
            "type": "boolean",
            "default": false
          },
          "annotations": {
            "description": "What single steps mean, by their number.",
            "type": "object",
            "additionalProperties": {
              "type": "string"
            },
            "examples": [
              {
                "1": "Poor",
                "5": "Excellent"
              }
            ]
          },
          "constraints": {
            "description": "What an answer must be like, checked in this order; the first that fails is reported.",
            "type": "array",
            "items": {
              "$ref": "#/$defs/Constraint"
            },
            "maxItems": 49
          },
          "showIf": {
            "description": "In children only: the answer to the parent that this question is asked for.",
            "type": "object",
            "properties": {
              "value": {
                "description": "An option's value or an own answer; for a confirmation true, false or the button's label; for a rating the number as text; for a text exactly that text.",
                "type": "string"
              }
            },
            "required": [
              "value"
            ]
          },
          "children": {
            "description": "Questions that follow this one up, asked right after it once it is answered, or only for the answer that their showIf names. They may have children themselves, up to 16 levels deep.",
            "type": "array",
            "items": {
              "$ref": "#/$defs/Question"
            },
            "maxItems": 1000
          }
        },
        "required": [
          "id",
          "type",
          "label",
          "prompt",
          "range"
        ]
      }
    }
  }
};

/**
 * Asks at the desk, and returns the outcome as text. A call that the host ends leaves the ask at the desk: the same
 * questions find it, or its answer.
 * @param {unknown} questions
 * @param {{ format: string, from: string, cwd: string, signal?: AbortSignal }} call
 * @returns {Promise<string>}
 */
function askAtDesk(questions, { format, from, cwd, signal }) {
  const line = ["ask", "--elsewhere", "--format", format, "--from", from, "-"];
  return new Promise((resolve, reject) => {
    const ask = spawn(PROGRAM, line, { cwd, stdio: ["pipe", "pipe", "pipe"], signal });
    let outcome = "";
    let problem = "";
    ask.stdout.on("data", (bytes) => (outcome += bytes));
    ask.stderr.on("data", (bytes) => (problem += bytes));
    ask.on("error", reject);
    // A decline is an outcome too, which says so.
    ask.on("close", () => (outcome ? resolve(outcome.trimEnd()) : reject(new Error(problem.trim()))));
    ask.stdin.on("error", () => {});
    ask.stdin.end(JSON.stringify(questions));
  });
}

export default function sayso(pi) {
  pi.registerTool({
    name: TOOL.name,
    label: "Ask a person",
    description: TOOL.description,
    parameters: TOOL.input_schema,
    async execute(_id, params, signal, _onUpdate, context) {
      const cwd = context?.cwd ?? process.cwd();
      const text = await askAtDesk(params, { format: "questionnaire", from: "pi", cwd, signal });
      return { content: [{ type: "text", text }], details: {} };
    },
  });
}
