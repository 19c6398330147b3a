//! Tests that agent text shows as text only. It steers no terminal, hides nothing, and cannot imitate the frame, the
//! asker's name or the key hints.

use crate::inbox::person::{ESC, is_open, leave_ask, open_inbox, press_until, rows};
use crate::prompter::hostile_text::{is_hidden, texts_of};
use crate::support::emulated_terminal::EmulatedTerminal;
use crate::support::test_world::TestWorld;
use sayso_core::{Actor, AskCommand, AskId, display};
use sayso_desk::Desk as _;
use serde_json::{Value, json};
use vt100::Cell;

/// An id, and the texts.
fn hostile() -> Vec<(String, String)> {
    texts_of(&["terminal", "unicode", "forge"], 52)
}

/// One question of each kind. `text` is a placeholder for agent text, `name` for agent text within our own rows.
fn questionnaire(text: &str, name: &str) -> String {
    // A label of yes that mixes alphabets is refused.
    let yes = if display::mixed_script_words(text).is_empty() { text } else { "Yes" };
    let option =
        |label: &str| json!({ "label": label, "description": text, "preview": text, "recommended": true });
    json!({ "sayso": 1, "title": name, "context": text, "submit": name, "sections": [{ "title": text, "detail": text, "questions": [
        { "id": "one", "label": name, "prompt": text, "detail": text, "options": [option(text), { "label": "B" }] },
        { "id": "many", "label": name, "prompt": text, "multi": true, "options": [{ "label": text, "description": text }, { "label": "B" }] },
        { "id": "text", "label": name, "prompt": text, "placeholder": text, "constraints": [{ "min_length": 3, "message": text }] },
        { "id": "go", "label": name, "kind": "confirm", "prompt": text, "yes": yes, "no": "No" },
        { "id": "rate", "label": name, "kind": "rating", "prompt": text, "annotations": { "1": text, "5": text } },
    ]}]})
    .to_string()
}

/// Rows of a questionnaire's frame: asker and title, tabs, a rule, and key hints.
const FRAME: [u16; 6] = [0, 1, 2, 21, 22, 23];
const BODY: std::ops::Range<usize> = 3..20;
const TABS: usize = 6;

/// Look of a cell: text, colours and attributes.
type CellLook = (String, [vt100::Color; 2], [bool; 5]);

fn cell_look(cell: &Cell) -> CellLook {
    let words = if cell.has_contents() { cell.contents() } else { " " };
    let colours = [cell.fgcolor(), cell.bgcolor()];
    (words.to_owned(), colours, [cell.bold(), cell.dim(), cell.italic(), cell.underline(), cell.inverse()])
}

/// Screen content at one tab.
struct TabContent {
    frame: Vec<Vec<CellLook>>,
    rows: Vec<String>,
}

fn tab_content(screen: &EmulatedTerminal) -> TabContent {
    let cells = |row: u16| (0..80).map(move |column| screen.cell(row, column));
    let looks = |row: u16| cells(row).map(|cell| cell_look(&cell)).collect();
    let text = |row: u16| -> String {
        let shown = cells(row).filter(|cell| !cell.is_wide_continuation()).map(|cell| cell_look(&cell).0);
        shown.collect::<String>().trim_end().to_owned()
    };
    TabContent { frame: FRAME.map(looks).into(), rows: (0..24).map(text).collect() }
}

/// A person with the inbox open, to whom one ask after another comes.
struct InboxUser<'w> {
    world: &'w TestWorld,
    screen: EmulatedTerminal,
}

impl InboxUser<'_> {
    /// Creates an ask, opens it and visits all tabs; then cancels it. Returns the content of the list and of each tab.
    fn read_all_tabs(&mut self, request: &str, by: &str) -> (TabContent, Vec<TabContent>) {
        let id = leave_ask(self.world, request, by);
        // The selected row has a second line.
        let is_read = |row: &String| row.starts_with("    not waiting");
        self.screen
            .wait_for(|screen| screen.contents().contains("1 waiting") && rows(screen).iter().any(is_read));
        let list = tab_content(&self.screen);
        self.screen.type_bytes("\r").wait_for(is_open);
        let mut tabs = Vec::new();
        for tab in 1..=TABS {
            self.screen.type_bytes(if tab == TABS { "\x1b0".to_owned() } else { format!("\x1b{tab}") });
            let words = if tab == TABS {
                "Check your answers before sending".to_owned()
            } else {
                format!("Question {tab} of 5.")
            };
            // The question may be scrolled off the screen; the tab is the reversed one.
            self.screen.wait_for(|screen| is_tab_selected(screen, tab) || screen.contents().contains(&words));
            tabs.push(tab_content(&self.screen));
        }
        self.cancel_ask(id);
        (list, tabs)
    }

    fn cancel_ask(&mut self, id: AskId) {
        let desk = self.world.desk();
        let asker = desk.get(id).unwrap().request.asker.clone();
        desk.act(&Actor::Asker(asker), id, None, AskCommand::CANCEL).unwrap();
        self.screen.expect_text("0 waiting");
        // Any key dismisses the notice of the cancellation.
        self.screen.type_bytes(ESC).expect_text("Nothing is sent until");
    }
}

/// Returns true if the tab with this number is current.
fn is_tab_selected(screen: &vt100::Screen, tab: usize) -> bool {
    let mut starts = Vec::new();
    let mut last = false;
    for column in 0..80 {
        let inverse = screen.cell(1, column).is_some_and(Cell::inverse);
        if inverse && !last {
            starts.push(column);
        }
        last = inverse;
    }
    let before = starts.first().map(|start| {
        (0..*start)
            .filter(|column| screen.cell(1, *column).is_some_and(|cell| cell.contents() == "│"))
            .count()
    });
    before.is_some_and(|before| before + 1 == tab)
}

/// Returns true if a row begins with a sign of ours that precedes foreign text.
fn begins_with_a_sign(row: &str) -> bool {
    let row = row.trim_start_matches([' ', '▸']);
    let number = |row: &str| row.trim_start_matches(|c: char| c.is_ascii_digit()).len() < row.len();
    let signs = [
        "┃",
        "( ) ",
        "(•) ",
        "[ ] ",
        "[x] ",
        "[ ",
        // The button that is not live yet, in our words; what the asker calls it stands behind them, quoted.
        "Submit: 0 of 5 answered ",
        "!",
        // Quotations in a sentence of ours.
        "\"",
        "(\"",
        "│ ",
        "┌─",
        "└─",
        "y  ",
        "… ",
        "› ",
        "Example: ",
        "Section 1 of 1.",
        "These words mix ",
    ];
    // The notice of hidden characters is ours, and takes several rows.
    let counts = ["place.", "places.", "their places."];
    row.is_empty()
        || counts.contains(&row)
        || row.contains("shown as its code")
        || signs.iter().any(|sign| row.starts_with(sign))
        || number(row)
}

/// Returns both halves of a row that has a preview next to the options.
fn row_halves(row: &str) -> Vec<String> {
    let cells: Vec<char> = row.chars().collect();
    match cells.iter().skip(30).position(|cell| *cell == '│') {
        Some(at) if !row.trim_start().starts_with('│') => {
            vec![cells[..30 + at].iter().collect(), cells[31 + at..].iter().collect()]
        }
        _ => vec![row.to_owned()],
    }
}

/// Asserts that agent text on these rows is behind a sign of ours or the same as in a harmless ask.
fn assert_marked(id: &str, tab: usize, seen: &TabContent, harmless: &TabContent) {
    let known: Vec<String> =
        harmless.rows.iter().flat_map(|row| row_halves(row)).map(|side| side.trim().to_owned()).collect();
    let indent = |row: &str| row.chars().take_while(|c| " ▸".contains(*c)).count();
    // A problem is a sentence of ours, which quotes foreign words and continues below its sign.
    let mut problem_indent = None;
    for row in &seen.rows[BODY] {
        if row.trim_start_matches([' ', '▸']).starts_with('!') {
            problem_indent = Some(indent(row));
        } else if problem_indent.is_some_and(|problem| indent(row) <= problem) {
            problem_indent = None;
        }
        for side in row_halves(row) {
            let is_known = known.contains(&side.trim().to_owned());
            assert!(
                is_known || begins_with_a_sign(&side) || problem_indent.is_some(),
                "{id}, tab {tab}: {side:?}\n{}",
                seen.rows.join("\n")
            );
        }
    }
}

/// Asserts that hidden characters show as tokens, and that the screen has none.
fn assert_shown(id: &str, tab: usize, text: &str, seen: &TabContent) {
    let family = "👨\u{200d}👩\u{200d}👧";
    let screen = seen.rows.join("\n");
    // The emulator does not join letters, and keeps only the first part.
    let bad = screen.replace("👨\u{200d}", "").chars().find(|c| is_hidden(*c) && *c != '\n');
    assert_eq!(bad, None, "{id}, tab {tab}: {screen}");
    let flat: String = seen.rows[BODY].concat().chars().filter(|c| !" ┃│".contains(*c)).collect();
    for hidden in text.replace(family, "").chars().filter(|c| is_hidden(*c) && !"\n\t".contains(*c)) {
        let token = format!("⟦U+{:04X}⟧", u32::from(hidden));
        assert!(flat.contains(&token), "{id}, tab {tab}: no {token} in\n{screen}");
    }
}

#[test]
fn text_cannot_imitate_the_frame() {
    let world = TestWorld::new();
    let mut person = InboxUser { world: &world, screen: open_inbox(&world) };
    let (list, tabs) = person.read_all_tabs(&questionnaire("Harmless words.", "Plan"), "agent");
    for (id, text) in hostile() {
        let (its_list, its_tabs) = person.read_all_tabs(&questionnaire(&text, "Plan"), "agent");
        assert_eq!(its_list.rows[..3], list.rows[..3], "{id}");
        assert!(its_list.rows[3].starts_with("▸ ◌ Plan  "), "{id}: {:?}", its_list.rows[3]);
        assert_eq!(its_list.rows[4..6], list.rows[4..6], "{id}");
        assert_eq!(its_list.rows[21..], list.rows[21..], "{id}");
        for (tab, (seen, harmless)) in its_tabs.iter().zip(&tabs).enumerate() {
            assert!(
                seen.frame == harmless.frame,
                "{id}, tab {tab}:\n{}\n{}",
                seen.rows.join("\n"),
                harmless.rows.join("\n")
            );
            let rule = seen.rows[20].trim_start_matches('─').trim_end_matches('─');
            assert!(rule.chars().all(|c| "0123456789-of ▲▼".contains(c)), "{id}, tab {tab}: {rule}");
            assert_marked(&id, tab, seen, harmless);
            // Content longer than a screen begins above it.
            if tab + 1 < TABS && text.len() < 200 {
                assert_shown(&id, tab, &text, seen);
            }
        }
    }
    person.screen.assert_only_own_sequences();
}

#[test]
fn names_cannot_imitate_rows() {
    let world = TestWorld::new();
    let mut person = InboxUser { world: &world, screen: open_inbox(&world) };
    let (list, tabs) = person.read_all_tabs(&questionnaire("Words.", "Plan"), "agent");
    for (id, text) in hostile() {
        // The desk limits the length of names.
        let by: String = format!("agent {text}").chars().take(60).collect();
        let (its_list, its_tabs) = person.read_all_tabs(&questionnaire("Words.", &text), &by);
        assert_eq!(its_list.rows[..3], list.rows[..3], "{id}");
        assert!(its_list.rows[3].starts_with("▸ ◌ "), "{id}: {:?}", its_list.rows[3]);
        assert_eq!(its_list.rows[4..17], list.rows[4..17], "{id}");
        assert_eq!(its_list.rows[21..], list.rows[21..], "{id}");
        for (tab, (seen, harmless)) in its_tabs.iter().zip(&tabs).enumerate() {
            let shown = seen.rows.join("\n");
            assert!(seen.frame[2..] == harmless.frame[2..], "{id}, tab {tab}:\n{shown}");
            assert!(seen.rows[0].starts_with(' ') && seen.rows[0].ends_with(" · just now"), "{id}: {shown}");
            assert!(seen.rows[1].ends_with(" 0/5"), "{id}, tab {tab}:\n{shown}");
            assert_marked(&id, tab, seen, harmless);
            assert_shown(&id, tab, "", seen);
        }
    }
    person.screen.assert_only_own_sequences();
}

#[test]
fn action_must_be_scrolled_before_consent() {
    let world = TestWorld::new();
    let lines: Vec<String> =
        (0..60).map(|line| format!("echo {line} # ┌─ \x1b[2J\u{202e} [ Submit ] ▸ (•) 1  Yes")).collect();
    let request = json!({ "sayso": 1, "title": "May I?", "context": "Only `ls`.",
        "action": { "tool": "shell", "act": { "shell": { "command": lines.join("\n") } } },
        "questions": [{ "id": "may", "kind": "confirm", "prompt": "Do it?" }],
    });
    let id = leave_ask(&world, &request.to_string(), "agent").to_string();
    let mut screen = crate::inbox::person::open_only_ask(&world);
    screen.expect_text("If you agree, the tool \"shell\" does exactly this:");
    screen.type_bytes("y\x1b0").expect_text("[ Submit");
    crate::inbox::person::send_until(&mut screen, |screen| screen.contents().contains("exactly this"));
    screen.type_bytes("\x1b1").expect_text("exactly this");
    assert_eq!(world.show(&id)["state"], "open");
    press_until(&mut screen, "\x1b[6~", |screen| screen.contents().contains("echo 59 "));
    for row in screen.contents().lines().filter(|row| row.contains("echo ")) {
        assert!(row.trim_start().starts_with('┃') && row.contains("⟦U+001B⟧"), "{row:?}");
    }
    press_until(&mut screen, "\x1b[6~", |screen| screen.contents().contains("Only ls."));
    press_until(&mut screen, "y", |screen| screen.contents().contains("(•) y"));
    crate::inbox::person::send_answers(&mut screen);
    screen.assert_only_own_sequences();
}

#[test]
fn lookalike_options_show_values() {
    let world = TestWorld::new();
    let request = json!({ "sayso": 1, "title": "Alike", "questions": [
        { "id": "a", "prompt": "Sure?", "options": [{ "id": "y1", "label": "Yes" }, { "id": "y2", "label": "Yes " }, { "id": "no", "label": "\u{200b}" }] },
    ]});
    leave_ask(&world, &request.to_string(), "agent");
    let screen = crate::inbox::person::open_only_ask(&world);
    let shown = screen.expect_text("Sure?");
    assert!(shown.contains("⟦U+200B⟧"), "{shown}");
    assert_eq!(shown.matches("value: ").count(), 3, "the third sends a word that is not read: {shown}");
    assert!(!shown.contains("(•)"), "nothing is chosen for a person: {shown}");
}

#[test]
fn many_options_and_asks_stay_usable() {
    let world = TestWorld::new();
    let options: Vec<Value> = (0..200).map(|number| json!({ "label": format!("Option {number}") })).collect();
    let request = json!({ "sayso": 1, "title": "Flood", "questions": [{ "id": "a", "prompt": "Which?", "options": options }] });
    let id = leave_ask(&world, &request.to_string(), "agent").to_string();
    let mut screen = crate::inbox::person::open_only_ask(&world);
    screen.expect_text("200");
    std::thread::scope(|scope| {
        scope.spawn(|| {
            for number in 0..200 {
                leave_ask(&world, &crate::support::sample_requests::text(&number.to_string()), "flood");
            }
        });
        screen.type_bytes("199").expect_text("Option 199");
        // Enter picks the remaining option.
        screen.type_bytes("\r").expect_text("[ Submit ]  \"Option 199\"");
    });
    world.wait_for_draft_where(&id, |draft| draft.replies.values().any(|reply| reply.answer().is_some()));
    crate::inbox::person::send_answers(&mut screen);
    screen.expect_text("200 waiting");
}

#[test]
fn passing_deadline_picks_nothing() {
    let world = TestWorld::new();
    let asking =
        world.sayso(["ask", "--timeout", "2s", &crate::support::sample_requests::text("Hurry")]).start();
    let mut screen = crate::inbox::person::open_only_ask(&world);
    screen.expect_text("Say it.");
    screen.type_bytes("almost");
    // After a while without keys the screen would close by itself.
    press_until(&mut screen, "x", |screen| screen.contents().contains("This ask has ended"));
    let shown = screen.contents();
    assert!(shown.contains("The deadline of this question has passed."), "{shown}");
    assert_eq!(asking.wait().exit, 5);
    let id = world.first_ask().1;
    assert!(world.show(&id)["draft"].to_string().contains("almost"));
}
