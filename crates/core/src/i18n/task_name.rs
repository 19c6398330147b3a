//! Texts that are stored in one language, in the language of their reader: those that the interrupt spec gives to its
//! tasks in Chinese, and the title of a plan, which is our prompt.

use super::{Lang, Message, foreign};
use std::borrow::Cow;

/// Names of tasks, alone or as a question.
const NAMES: [Message; 3] = [Message::TaskExecute, Message::TaskWrite, Message::TaskAsk];

/// Beginnings of the spec's sentences; the asker's words follow.
const BEGINNINGS: [Message; 2] = [Message::TaskExecuting, Message::TaskWriting];

/// Language of the spec's texts.
const SPEC_LANG: Lang = Lang::Zh;

/// Returns a text in a language if it is one of these, else unchanged.
pub fn localize_task(text: &str, lang: Lang) -> Cow<'_, str> {
    let (name, mark) = match text.strip_suffix('?') {
        Some(name) => (name, "?"),
        None => (text, ""),
    };
    for message in NAMES {
        if message.plain(SPEC_LANG) == name {
            return format!("{}{mark}", message.plain(lang)).into();
        }
    }
    if Lang::ALL.iter().any(|lang| Message::HookPlan.plain(*lang) == text) {
        return Message::HookPlan.plain(lang).into();
    }
    for template in Lang::ALL.map(|lang| Message::HookPlanNamed.plain(lang)) {
        if let Some((before, after)) = template.split_once("{0:foreign}")
            && let Some(name) = text.strip_prefix(before).and_then(|rest| rest.strip_suffix(after))
        {
            return Message::HookPlanNamed.render_with(lang, [foreign(name)]).into();
        }
    }
    for message in BEGINNINGS {
        if let Some(words) = text.strip_prefix(message.plain(SPEC_LANG)) {
            return format!("{}{words}", message.plain(lang)).into();
        }
    }
    text.into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spec_texts_have_the_readers_language() {
        for (text, english) in [
            ("执行命令", "Run a command"),
            ("执行命令?", "Run a command?"),
            ("写入文件", "Write a file"),
            ("用户问答", "Questions"),
            ("正在执行命令: npm install", "Running the command: npm install"),
            ("正在写入文件: a.txt", "Writing the file: a.txt"),
            ("执行命令吗", "执行命令吗"),
            ("按此计划进行吗？", "Go ahead with this plan?"),
            ("按此计划进行吗？“缓存”", "Go ahead with this plan? \"缓存\""),
            ("Deploy?", "Deploy?"),
        ] {
            assert_eq!(localize_task(text, Lang::En), english);
            assert_eq!(localize_task(text, Lang::Zh), text);
        }
    }
}
