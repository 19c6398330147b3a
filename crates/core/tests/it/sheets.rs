//! Sheets of random questionnaires, checked against a second implementation of conditions: recursive, directly from
//! their definition, and independent of the engine.

pub(crate) mod random;

use proptest::prelude::*;
use random::{edit, edits, filled, questionnaire, reply};
use sayso_core::sheet::SheetProgress;
use sayso_core::{
    Answer, AnswerCheck, ChoiceOption, ChoiceQuestion, ComparisonValue, Condition, Pick, ProblemCode,
    Question, QuestionId, Questionnaire, Replies, Reply, ReplyContent, SectionId, Sheet,
};
use std::cell::RefCell;

/// Comparable part of an answer or a value.
#[derive(Debug, PartialEq, PartialOrd)]
enum ComparedAtom {
    Name(String),
    Truth(bool),
    Amount(f64),
}

/// A naive implementation of the definition.
struct NaiveSheet<'q> {
    made: &'q Questionnaire,
    replies: Replies,
    /// Memoized results: without them the recursion would be exponential.
    known: RefCell<Vec<Option<bool>>>,
}

impl<'q> NaiveSheet<'q> {
    fn new(made: &'q Questionnaire, replies: Replies) -> Self {
        Self { made, replies, known: RefCell::new(vec![None; made.questions.len()]) }
    }

    fn place(&self, id: &QuestionId) -> usize {
        self.made.questions.iter().position(|question| question.id == *id).unwrap()
    }

    /// Conditions of the section, its own condition, and its parent is active; without a condition of its own a
    /// follow-up shows once its parent has an answer.
    fn is_active(&self, at: usize) -> bool {
        if let Some(known) = self.known.borrow()[at] {
            return known;
        }
        let question = &self.made.questions[at];
        let parent = question.parent.as_ref().is_none_or(|parent| {
            let parent = self.place(parent);
            self.is_active(parent) && (question.show_if.is_some() || self.value(parent).is_some())
        });
        let active = parent && self.conditions(question).iter().all(|condition| self.holds(condition));
        self.known.borrow_mut()[at] = Some(active);
        active
    }

    fn conditions(&self, question: &'q Question) -> Vec<&'q Condition> {
        let section = question.section.as_ref().and_then(|id| self.made.section(id));
        section.and_then(|section| section.show_if.as_ref()).into_iter().chain(&question.show_if).collect()
    }

    /// Returns `None` if not active, unanswered, skipped or blank; else what was answered, also when it breaks a constraint.
    fn value(&self, at: usize) -> Option<&Answer> {
        let (question, rules) = (&self.made.questions[at], &self.made.rules);
        let answer = self.replies.get(&question.id)?.answer().filter(|_| self.is_active(at))?;
        let says_something = match answer {
            Answer::Text(text) => text.chars().any(|c| !c.is_whitespace()),
            Answer::Picks(picks) if picks.is_empty() => false,
            Answer::Picks(picks) => {
                rules.empty_other
                    || picks.iter().any(|pick| !matches!(pick, Pick::Other(text) if text.trim() == ""))
            }
            Answer::Confirm(yes) => *yes || !(rules.must_be_true && question.required),
            _ => true,
        };
        says_something.then_some(answer)
    }

    fn holds(&self, condition: &Condition) -> bool {
        match condition {
            Condition::All(parts) => !parts.iter().any(|part| !self.holds(part)),
            Condition::Any(parts) => parts.iter().any(|part| self.holds(part)),
            Condition::Not(part) => !self.holds(part),
            Condition::Test(test) => match self.value(self.place(&test.question)) {
                None => test.check == AnswerCheck::Answered(false),
                Some(answer) => self.is_true(&test.check, answer),
            },
        }
    }

    fn is_true(&self, check: &AnswerCheck, answer: &Answer) -> bool {
        let given = self.atoms(answer);
        let has = |value: &ComparisonValue| given.contains(&Self::atom(value));
        let first = given.first();
        let is_own = |pick: &Pick| matches!(pick, Pick::Other(_));
        match check {
            AnswerCheck::Answered(wanted) => *wanted,
            AnswerCheck::Is(value) => has(value),
            AnswerCheck::AnyOf(values) => values.iter().any(has),
            AnswerCheck::AllOf(values) => values.iter().all(has),
            AnswerCheck::NoneOf(values) => !values.iter().any(has),
            AnswerCheck::HasOther(own) => {
                *own == matches!(answer, Answer::Picks(picks) if picks.iter().any(is_own))
            }
            AnswerCheck::AtLeast(value) => first.is_some_and(|first| *first >= Self::atom(value)),
            AnswerCheck::AtMost(value) => first.is_some_and(|first| *first <= Self::atom(value)),
        }
    }

    fn clean(&self, text: &str) -> String {
        if self.made.rules.trim_text { text.trim().to_owned() } else { text.to_owned() }
    }

    fn atoms(&self, answer: &Answer) -> Vec<ComparedAtom> {
        let name = |text: String| vec![ComparedAtom::Name(text)];
        let amount = |text: String| vec![ComparedAtom::Amount(text.parse().unwrap())];
        match answer {
            Answer::Picks(picks) => {
                let named = |pick: &Pick| match pick {
                    Pick::Option(id) => Some(ComparedAtom::Name(id.to_string())),
                    Pick::Other(text) => {
                        self.made.rules.own_answers_match.then(|| ComparedAtom::Name(self.clean(text)))
                    }
                };
                picks.iter().filter_map(named).collect()
            }
            Answer::Text(text) => name(text.trim().to_owned()),
            Answer::Confirm(yes) => vec![ComparedAtom::Truth(*yes)],
            Answer::Rating(step) => amount(step.to_string()),
            Answer::Number(number) => amount(number.to_string()),
            Answer::Date(date) => name(date.to_string()),
            Answer::Time(time) => name(time.to_string()),
            Answer::Datetime(at) => name(at.to_string()),
        }
    }

    fn atom(value: &ComparisonValue) -> ComparedAtom {
        match value {
            ComparisonValue::Bool(yes) => ComparedAtom::Truth(*yes),
            ComparisonValue::Number(number) => ComparedAtom::Amount(number.to_string().parse().unwrap()),
            ComparisonValue::Text(text) => ComparedAtom::Name(text.trim().to_owned()),
        }
    }

    fn active(&self) -> Vec<usize> {
        (0..self.made.questions.len()).filter(|at| self.is_active(*at)).collect()
    }

    /// Counts the answers that keep their rules; rules that are checked on submission alone do not count here.
    fn progress(&self, sheet: &Sheet) -> SheetProgress {
        let active = self.active();
        let is_kept =
            |at: usize| self.made.questions[at].validates_on_submit || sheet.problems_at(at).is_empty();
        let answered = active.iter().filter(|at| self.value(**at).is_some() && is_kept(**at)).count();
        SheetProgress { answered, total: active.len() }
    }

    /// Returns the questions that may have decided that one is not active.
    fn deciding_candidates(&self, at: usize) -> Vec<QuestionId> {
        let question = &self.made.questions[at];
        let failed = self.conditions(question).into_iter().filter(|condition| !self.holds(condition));
        let named = failed.flat_map(|condition| condition.tests()).map(|test| test.question.clone());
        question.parent.iter().cloned().chain(named).collect()
    }

    fn is_left_out(&self, section: &SectionId) -> bool {
        let is_empty = |at: usize| {
            let no = self.made.rules.must_be_true;
            self.value(at).is_none_or(|answer| no && *answer == Answer::Confirm(false))
        };
        let members = |at: &usize| self.made.questions[*at].section.as_ref() == Some(section);
        let optional = self.made.section(section).unwrap().optional;
        optional && self.active().into_iter().filter(members).all(is_empty)
    }

    fn is_missing(&self, at: usize) -> bool {
        let question = &self.made.questions[at];
        let needed = question.required && self.is_active(at) && self.value(at).is_none();
        needed && question.section.as_ref().is_none_or(|section| !self.is_left_out(section))
    }
}

/// Checks a sheet against the definition, in everything that a user could notice.
fn assert_agreement(sheet: &Sheet, naive: &NaiveSheet<'_>) -> Result<(), TestCaseError> {
    let asked: Vec<usize> = sheet.asked_questions().map(|(at, _)| at).collect();
    prop_assert_eq!(&asked, &naive.active());
    prop_assert_eq!(sheet.progress(), naive.progress(sheet));
    let mut missing = Vec::new();
    for (at, question) in naive.made.questions.iter().enumerate() {
        let because = sheet.deciding_question(at).map(|because| because.id.clone());
        prop_assert_eq!(because.is_none(), naive.is_active(at), "{}", question.id);
        prop_assert!(
            because.is_none_or(|because| naive.deciding_candidates(at).contains(&because)),
            "{}",
            question.id
        );
        missing.extend(naive.is_missing(at).then(|| format!("/answers/{}", question.id)));
    }
    let needed = sheet.problems().into_iter().filter(|problem| problem.code == ProblemCode::NeedsAnswer);
    prop_assert_eq!(needed.map(|problem| problem.path.to_json_pointer()).collect::<Vec<_>>(), missing);
    Ok(())
}

/// Returns everything that a surface can see of a sheet.
fn visible_state(sheet: &Sheet) -> impl PartialEq + std::fmt::Debug + use<> {
    let count = sheet.questions().len();
    let each = (0..count).map(|at| {
        (
            sheet.is_asked(at),
            sheet.deciding_question(at).cloned(),
            sheet.needs_attention(at),
            sheet.reply_at(at).clone(),
        )
    });
    (each.collect::<Vec<_>>(), sheet.progress(), sheet.problems(), sheet.submission(), sheet.replies())
}

proptest! {
    #[test]
    fn random_questionnaires_are_valid_and_round_trip(made in questionnaire()) {
        prop_assert_eq!(made.problems(), []);
        let written = sayso_core::wire::questionnaire::write(&made);
        let read = sayso_core::wire::questionnaire::read(&written).unwrap();
        prop_assert_eq!(&read.questionnaire, &*made);
        prop_assert_eq!(read.ignored, []);
    }

    #[test]
    fn edits_agree_with_naive_sheet(made in questionnaire(), edits in edits()) {
        let mut sheet = Sheet::new(made.clone(), Replies::new());
        let mut replies = Replies::new();
        assert_agreement(&sheet, &NaiveSheet::new(&made, replies.clone()))?;
        for one in edits {
            let before = NaiveSheet::new(&made, replies.clone()).active();
            let (at, reply) = edit(&made, one);
            replies.insert(made.questions[at].id.clone(), reply.clone());
            let effect = sheet.set_reply(&made.questions[at].id, reply);
            let naive = NaiveSheet::new(&made, replies.clone());
            assert_agreement(&sheet, &naive)?;
            let after = naive.active();
            let only = |these: &[usize], those: &[usize]| -> Vec<usize> {
                these.iter().copied().filter(|at| !those.contains(at)).collect()
            };
            prop_assert_eq!(effect.appeared, only(&after, &before));
            prop_assert_eq!(effect.vanished, only(&before, &after));
            prop_assert_eq!(visible_state(&sheet), visible_state(&Sheet::new(made.clone(), sheet.replies())));
        }
    }

    /// A hidden answer is not lost, whatever hid it.
    #[test]
    fn repeated_answer_restores_sheet(
        made in questionnaire(), edits in edits(), at in any::<prop::sample::Index>(), other in any::<u8>(),
    ) {
        let mut sheet = filled(&made, &edits);
        let (before, at) = (visible_state(&sheet), at.index(made.questions.len()));
        let Some(given) = sheet.replies().remove(&made.questions[at].id) else { return Ok(()) };
        for between in [Reply::unanswered(), Reply::skipped(), reply(&made.questions[at].kind, other)] {
            let hidden = sheet.set_reply_at(at, between);
            let shown = sheet.set_reply_at(at, given.clone());
            prop_assert_eq!(&visible_state(&sheet), &before);
            prop_assert_eq!((hidden.appeared, hidden.vanished), (shown.vanished, shown.appeared));
        }
    }

    #[test]
    fn hidden_question_sends_nothing(made in questionnaire(), edits in edits()) {
        let sheet = filled(&made, &edits);
        let naive = NaiveSheet::new(&made, sheet.replies());
        let Ok(sent) = sheet.submission() else { return Ok(()) };
        prop_assert_eq!(sent.replies.len(), made.questions.len());
        let mut dormant = Vec::new();
        for (at, question) in made.questions.iter().enumerate() {
            let (given, sent) = (sheet.reply_at(at), &sent.replies[&question.id]);
            if naive.is_active(at) {
                // A no to a required yes is sent all the same.
                let is_no = given.answer() == Some(&Answer::Confirm(false));
                let wanted = (naive.value(at).is_some() || is_no, given.is_skipped());
                prop_assert_eq!((sent.answer().is_some(), sent.is_skipped()), wanted);
                prop_assert_eq!(&sent.note, &given.note);
            } else {
                let is_told = matches!(sent.content, ReplyContent::NotAsked { decided_by: Some(_) });
                prop_assert!(is_told, "{:?}", sent);
                prop_assert_eq!((&sent.note, sent.pattern_not_checked), (&None, false));
                dormant.extend(given.has_input().then(|| question.id.clone()));
            }
        }
        prop_assert_eq!(sent.dropped, dormant);
    }
}

/// One of everything, so that nothing gets lost in a round trip.
#[test]
fn full_questionnaire_round_trips() {
    let text = r#"{"title":"t","context":"c","action":{"tool":"sh","act":{"run":{"argv":["ls","-l"],"folder":"/srv"}}},
        "submit":"Send","cancel":"No","completed":{"answers":true,"summary":"{{a}}!"},
        "rules":{"length_unit":"utf16","loose_dates":true,"must_be_true":true,"own_answers_match":true,"trim_text":false},
        "sections":[{"id":"one","title":"One","detail":"d","optional":true,"submit":"Next","questions":[
            {"id":"a","label":"A","prompt":"?","detail":"d","required":false,"unchecked":true,"multi":true,"other":true,
             "other_label":"Else","prefill":{"picks":[{"option":"x"},{"other":"own"}]},
             "options":[{"id":"x","label":"X","description":"d","preview":"p","recommended":true}],
             "constraints":[{"min_picks":1,"max_picks":3,"message":"m"},{"required":true,"message":"r"}]},
            {"id":"b","prompt":"?","kind":"text","long":true,"placeholder":"p","prefill":{"text":" "},
             "constraints":[{"min_length":1},{"max_length":9},{"pattern":"^\\d$"}]},
            {"id":"c","prompt":"?","kind":"confirm","yes":"Y","no":"N"},
            {"id":"d","prompt":"?","kind":"rating","min":-2,"max":2,"emoji":true,"annotations":{"-2":"bad","2":"good"}}]},
        {"id":"two","show_if":{"any":[{"question":"a","own_answer":false},{"not":{"question":"d","at_least":-1}}]},"questions":[
            {"id":"e","prompt":"?","kind":"number","step":0.5,"prefill":{"number":"0.1234567890123456789"},
             "constraints":[{"min":0,"max":"12345678901234567890.5","multiple_of":0.1}],
             "children":[{"id":"f","prompt":"?","kind":"date","show_if":{"none_of":[1,2.5]},"prefill":{"text":"soon"}}]},
            {"id":"g","prompt":"?","kind":"time","prefill":{"time":"14:30:00"},"constraints":[{"max":"15:00"}]},
            {"id":"h","prompt":"?","kind":"datetime","prefill":{"datetime":"2026-03-01T14:00:00+05:30"}}]}]}"#;
    let read = |text: &str| sayso_core::wire::questionnaire::read(text).unwrap();
    let made = read(text);
    assert_eq!(made.ignored, []);
    let written = sayso_core::wire::questionnaire::write(&made.questionnaire);
    assert_eq!(read(&written), made);
    assert_eq!(sayso_core::wire::questionnaire::write(&read(&written).questionnaire), written);
}

/// A reader would enable a choice's own answer if its label alone were written.
#[test]
fn labelled_own_answer_stays_disabled() {
    let choice = ChoiceQuestion {
        options: vec![ChoiceOption::new("a", "A")],
        other_label: Some("Else".to_owned()),
        ..ChoiceQuestion::default()
    };
    let questions = vec![Question::new("q", "?", choice)];
    let made = Questionnaire { questions, ..Questionnaire::default() };
    let written = sayso_core::wire::questionnaire::write(&made);
    let read = sayso_core::wire::json::read::<Questionnaire>(&written).unwrap();
    assert!(read.questions[0].choice().is_some_and(|choice| !choice.other), "{written}");
}

/// Many picks are looked up in a set, few by a linear search.
#[test]
fn conditions_scale_to_many_picks() {
    let option = |at: usize| format!("{{\"id\":\"{at}\",\"label\":\"L{at}\"}}");
    let options: Vec<_> = (0..1_000).map(option).collect();
    let text = format!(
        r#"{{"questions":[{{"id":"p","prompt":"?","multi":true,"other":true,"options":[{}]}},
        {{"id":"any","prompt":"?","show_if":{{"question":"p","any_of":["7","999"]}}}},
        {{"id":"all","prompt":"?","show_if":{{"question":"p","all_of":["7","999"]}}}},
        {{"id":"none","prompt":"?","show_if":{{"question":"p","none_of":["7","999"]}}}},
        {{"id":"is","prompt":"?","show_if":{{"question":"p","is":"999"}}}},
        {{"id":"own","prompt":"?","show_if":{{"question":"p","own_answer":true}}}}]}}"#,
        options.join(",")
    );
    let made = sayso_core::wire::questionnaire::read(&text).unwrap().questionnaire;
    let picks = |range: std::ops::Range<usize>| {
        Reply::from_picks(range.map(|at| Pick::Option(sayso_core::OptionId::new(at.to_string()))))
    };
    let asked = |sheet: &Sheet| {
        sheet.asked_questions().skip(1).map(|(_, question)| question.id.to_string()).collect()
    };
    let mut sheet = Sheet::new(made.into(), Replies::from([(QuestionId::new("p"), picks(0..999))]));
    let mut seen: Vec<Vec<String>> = vec![asked(&sheet)];
    for range in [8..999, 8..1_000, 6..8, 0..1_000, 8..11] {
        sheet.set_reply_at(0, picks(range));
        seen.push(asked(&sheet));
    }
    let expected: [&[&str]; 6] =
        [&["any"], &["none"], &["any", "is"], &["any"], &["any", "all", "is"], &["none"]];
    assert_eq!(seen, expected);
}

/// A prefill counts like an answer until a person replies; losing it loses no person's input.
#[test]
fn prefill_fills_unanswered_questions() {
    let text = r#"{"questions":[{"id":"p","prompt":"?","kind":"confirm","prefill":{"confirm":true}},
        {"id":"c","prompt":"?","show_if":{"question":"p","is":true},"prefill":{"text":"x"}}]}"#;
    let made = sayso_core::wire::questionnaire::read(text).unwrap().questionnaire;
    let mut sheet = Sheet::new(made.into(), Replies::new());
    assert_eq!((sheet.is_asked(1), sheet.progress().answered), (false, 0));
    sheet = sheet.with_prefill();
    assert_eq!(sheet.progress(), SheetProgress { answered: 2, total: 2 });
    assert!(sheet.submission().is_ok() && sheet.needs_attention(0) && sheet.is_prefilled(1));
    sheet.set_reply_at(0, Reply::from_answer(Answer::Confirm(false)));
    let sent = sheet.submission().unwrap();
    assert_eq!((sent.dropped, sheet.is_prefilled(0)), (Vec::new(), false));
    // Removing an answer does not restore the prefill.
    sheet.set_reply_at(0, Reply::unanswered());
    assert_eq!(sheet.clone().with_prefill().progress().answered, 0);
    sheet.set_reply_at(0, Reply::from_answer(Answer::Confirm(true)));
    assert_eq!(sheet.reply_at(1), &Reply::from_text("x"));
}
