//! Help of the command: the spec's "system prompt".

use super::reader::AskUserQuestionLimits;

/// Returns the whole manual, as `--help` prints it, with the configured limits (the spec's "system prompt" and
/// "environment variables").
pub fn manual(limits: &AskUserQuestionLimits) -> String {
    let AskUserQuestionLimits { questions, options, header, question } = *limits;
    let numbers =
        [("QUESTIONS", questions), ("OPTIONS", options), ("HEADER", header), ("QUESTION", question)];
    let words =
        |text: String, (name, number): (&str, usize)| text.replace(&format!("<{name}>"), &number.to_string());
    numbers.into_iter().fold(MANUAL.to_owned(), words)
}

const MANUAL: &str = r#"AskUserQuestion - ask the person you work for, and wait for the answer

USAGE:
    AskUserQuestion '<json_input>'
    AskUserQuestion --strict '<json_input>'
    AskUserQuestion - < questions.json
    AskUserQuestion -h | --help

ARGUMENTS:
    <json_input>    JSON object with an array of questions
    -               Read the JSON from standard input
    --strict        Ask again if the input is invalid, instead of taking the first option
    -h              Print the usage line
    --help          Print this manual

JSON SCHEMA:
    {
      "questions": [           // Required, 1-<QUESTIONS> questions
        {
          "question": string,  // Required, the whole question, ending with ?, at most <QUESTION> chars
          "header": string,    // Required, short label, at most <HEADER> chars (e.g., "Auth method")
          "options": [         // Required, 2-<OPTIONS> options
            {
              "label": string,       // Required, 1-5 words, at most 50 chars
              "description": string  // Required, what choosing it means, at most 200 chars
            }
          ],
          "multiSelect": boolean  // Required, true if several options may be picked
        }
      ]
    }

OUTPUT:
    One line of JSON with the answers by header:
        {"answers":{"header1":"selected_label","header2":"label1, label2"}}
    Custom input is returned as:
        {"answers":{"header1":"Other (custom: the typed text)"}}

NOTES:
    - Every question also offers "Other" for custom input; do not list it as an option
    - Put the option you recommend first and add "(Recommended)" to its label
    - Set multiSelect to true if the options do not exclude each other
    - Give each question its own header: of two answers under one header, only the later is returned
    - A person types the number of an option, several numbers separated by commas, or 0 for custom
      input. If the input is invalid, the first option is taken, and a line says so
    - Without a terminal, the questions wait at the desk until a person answers them there

WHEN TO USE:
    - To learn the person's preferences or requirements
    - To clarify an ambiguous instruction
    - To get a decision between implementation choices
    - To offer a choice of the next step

WHEN NOT TO USE:
    - The person has already answered it
    - A sensible default exists and little depends on it
    - The question is about a detail that does not matter to the person

EXIT CODES:
    0      Answered: the answers are on stdout
    1      The input is invalid: stderr shows where
    2      A setting such as ASK_TIMEOUT cannot be read: stderr names it
    3      The person declined to answer: stderr gives the reason, if there is one
    4      The person left with /quit: the answers are kept, and the question stays open
    5      The deadline passed without an answer
    6      The asker cancelled the question
    7      Cannot connect to the desk
    130    Interrupted: everything typed is kept, and the question stays open

ENVIRONMENT:
    ASK_MAX_QUESTIONS          Maximum questions in a call (4)
    ASK_MAX_OPTIONS            Maximum options of a question (4)
    ASK_HEADER_MAX_LENGTH      Maximum length of a header, in characters (12)
    ASK_QUESTION_MAX_LENGTH    Maximum length of a question, in characters (500)
    ASK_TIMEOUT                Time after which the question expires: 90s, 2h, or a number of seconds (never)

EXAMPLES:
    AskUserQuestion '{"questions":[{"question":"Which database?","header":"Database","options":[{"label":"PostgreSQL","description":"Relational DB"},{"label":"MongoDB","description":"Document store"}],"multiSelect":false}]}'

    # Returns: {"answers":{"Database":"PostgreSQL"}}

    AskUserQuestion '{"questions":[{"question":"Which features to enable?","header":"Features","options":[{"label":"Caching","description":"Redis caching"},{"label":"Logging","description":"JSON logs"}],"multiSelect":true}]}'

    # Returns: {"answers":{"Features":"Caching, Logging"}}
"#;
