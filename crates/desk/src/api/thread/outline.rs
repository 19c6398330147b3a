//! Outline of a thread, and the number of messages that its agent's program has of it.

use super::{ThreadEvent, ThreadEventKind};
use sayso_core::model::ask_summary::AskStatus;
use std::collections::HashMap;

/// Latest messages of a thread without their text, and the events between them.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct ThreadOutline {
    /// For each message, in order: true if the person sent it, not the agent.
    pub(crate) by_person: Vec<bool>,
    /// Events, in order.
    pub(crate) events: Vec<ThreadEvent>,
}

impl ThreadOutline {
    /// Counts the messages as the agent's program has them: what is said, messages that only call tools, results of
    /// tools.
    pub(crate) fn message_count(self) -> u32 {
        let mut counter = MessageCounter::default();
        let mut events = self.events.into_iter().peekable();
        for at in 0..=self.by_person.len() {
            while let Some(event) = events.next_if(|event| event.after <= at) {
                counter.add_event(event);
            }
            if let Some(by_person) = self.by_person.get(at) {
                counter.add_message(*by_person);
            }
        }
        counter.count
    }
}

/// Assistant message at hand, to which calls of tools belong.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
enum AssistantMessage {
    /// None: a call is a message of its own.
    #[default]
    Absent,
    /// A text, so far without a call.
    Text,
    /// A message that calls tools.
    Calling,
    /// A message whose calls have results.
    Answered,
}

/// Counter of the messages of an agent's program.
#[derive(Default)]
struct MessageCounter {
    count: u32,
    assistant: AssistantMessage,
    /// Approved calls by tool: their results are counted, and their run is no other call.
    approved: HashMap<String, u32>,
    /// Approved calls that run, by tool.
    running: HashMap<String, u32>,
}

/// Takes one from the number of a tool, and returns whether there was one.
fn take_one(numbers: &mut HashMap<String, u32>, tool: &str) -> bool {
    let Some(number) = numbers.get_mut(tool).filter(|number| **number > 0) else { return false };
    *number -= 1;
    true
}

impl MessageCounter {
    fn add_message(&mut self, by_person: bool) {
        self.count += 1;
        self.assistant = if by_person { AssistantMessage::Absent } else { AssistantMessage::Text };
    }

    /// Adds a call: it belongs to the message at hand, or to a new one.
    fn add_call(&mut self, is_new: bool) {
        self.count += u32::from(is_new || self.assistant == AssistantMessage::Absent);
        self.assistant = AssistantMessage::Calling;
    }

    fn add_event(&mut self, event: ThreadEvent) {
        match event.kind {
            ThreadEventKind::Ask { is_approval, tool, opens_request, .. } => {
                self.add_call(opens_request && self.assistant != AssistantMessage::Text);
                if event.state.is_some_and(AskStatus::is_pending) {
                    return;
                }
                self.count += 1;
                self.assistant = AssistantMessage::Answered;
                if is_approval && event.state == Some(AskStatus::Answered) {
                    *self.approved.entry(tool).or_default() += 1;
                }
            }
            ThreadEventKind::ToolStart(tool) if take_one(&mut self.approved, &tool) => {
                *self.running.entry(tool).or_default() += 1;
            }
            ThreadEventKind::ToolStart(_) => self.add_call(self.assistant == AssistantMessage::Answered),
            ThreadEventKind::ToolEnd(tool)
                if take_one(&mut self.running, &tool) || take_one(&mut self.approved, &tool) => {}
            ThreadEventKind::ToolEnd(_) => {
                self.count += 1;
                self.assistant = AssistantMessage::Answered;
            }
        }
    }
}
