//! Tests of help and usage errors in Chinese.

use crate::support::test_world::TestWorld;

/// Fragments that stay English in Chinese text: names, values, places and examples.
const LITERALS: &str = "ANSWER ANSWER_ API AUQ Agent AskUserQuestion Client Connect Cookie FILE H HTTP JSON HSTS IP JavaScript MCP MiB NAME OpenAPI PATH PEM PORT Protocol QR TLS VALUE SAYSO_TOKEN_FILE Sayso URL a admin all \
    accept answer answered answers app ask ask_user ask_user_questions asker asking audience auq backup bash cancel_ask cancelled claude code codex com compat confirm copilot curl cursor d done \
    days declined desk doctor elvish en env eval example expired fish gemini get_answered_questions h help http https interrupt json kind \
    lang list list_asks localhost login none open openapi opencode own p pending permission person powershell prompt questions restore root s sayso schema service scripted_answers shell sqlite strict submitted \
    text token tool topics true typescript ui value vscode pi postgres wait_for_answer zh zod zsh";

/// Returns the command lines for all help pages: the commands that the program lists, and their subcommands.
fn help_command_lines(world: &TestWorld) -> Vec<Vec<String>> {
    let mut lines = vec![Vec::new()];
    let mut next = 0;
    while let Some(line) = lines.get(next).cloned() {
        let help = world.sayso(line.iter().map(String::as_str).chain(["-h"])).run().stdout;
        let listed = help.lines().skip_while(|line| *line != "Commands:").skip(1);
        let listed =
            listed.map_while(|line| line.strip_prefix("  ")).filter_map(|line| line.split(' ').next());
        let own = listed.filter(|name| !["help", "AskUserQuestion", "auq"].contains(name));
        lines.extend(own.map(|name| [line.as_slice(), &[name.to_owned()]].concat()));
        next += 1;
    }
    assert!(lines.len() > 15, "{lines:?}");
    lines
}

/// Returns every help page in Chinese with its command line.
fn help_pages(world: &TestWorld) -> Vec<(String, String)> {
    let asked = help_command_lines(world)
        .into_iter()
        .flat_map(|line| ["-h", "--help"].map(|asked| [line.as_slice(), &[asked.to_owned()]].concat()));
    let helped =
        [&["help", "help"][..], &["help", "auq"], &["help", "AskUserQuestion"], &["help", "token", "new"]];
    let helped = helped.map(|line| line.iter().map(|word| (*word).to_owned()).collect::<Vec<_>>());
    let typed = asked.chain(helped).map(|line| {
        let ended = world.sayso(&line).env("SAYSO_LANG", "zh").run();
        assert_eq!((ended.exit, ended.stderr.as_str()), (0, ""), "{line:?}");
        (line.join(" "), ended.stdout)
    });
    typed.collect()
}

/// Returns the description in a line of a help page, without the names that it describes.
fn description_of(line: &str) -> &str {
    let words = line.trim_start();
    match line.len() - words.len() {
        0 => words,
        10.. => words.split_once(": ").filter(|_| words.starts_with("- ")).map_or(words, |(_, text)| text),
        _ => words.split_once("  ").map_or("", |(_, text)| text),
    }
}

#[test]
fn help_is_fully_translated() {
    let world = TestWorld::new();
    for (typed, help) in help_pages(&world) {
        let usage =
            help.lines().find_map(|line| line.strip_prefix("用法：")).unwrap_or_else(|| panic!("{help}"));
        assert!(
            usage.starts_with("sayso") && !usage.contains("OPTIONS") && !usage.contains("COMMAND"),
            "{usage}"
        );
        for line in help.lines().filter(|line| !line.starts_with("用法：") && !line.starts_with("示例："))
        {
            let words = description_of(line).split(|c: char| !c.is_ascii_alphabetic() && c != '_');
            let is_literal = |word: &&str| LITERALS.split(' ').any(|literal| literal == *word);
            let left: Vec<_> = words.filter(|word| !word.is_empty() && !is_literal(word)).collect();
            assert!(left.is_empty(), "{typed}: {left:?} in {line}");
        }
    }
}

#[test]
fn help_columns_align() {
    let world = TestWorld::new();
    for (typed, help) in help_pages(&world).into_iter().filter(|(typed, _)| typed.ends_with("-h")) {
        for section in help.split("\n\n").filter(|section| section.contains("：\n  ")) {
            let begins = |line: &str| {
                let names = line.len() - description_of(line).trim_start().len();
                assert!(line.get(..names).is_some_and(str::is_ascii), "{typed}: {line}");
                names
            };
            let columns: Vec<_> = section.lines().skip(1).map(begins).collect();
            assert!(columns.iter().all(|column| *column == columns[0]), "{typed}:\n{section}");
        }
    }
}

#[test]
fn help_follows_the_language_setting() {
    let mut world = TestWorld::new();
    let chinese = |world: &TestWorld, line: &str| {
        let help = world.sayso(line.split(' ')).run();
        assert_eq!((help.exit, help.stderr.as_str()), (0, ""), "{line}");
        help.stdout.contains("用法：sayso")
    };
    for line in [
        "--lang zh list -h",
        "list -h --lang zh",
        "list --lang=zh --help",
        "--lang zh help list",
        "help list --lang zh",
        "help --lang=zh token new",
        "--plain help --lang zh list",
    ] {
        assert!(chinese(&world, line), "{line}");
    }
    assert!(!chinese(&world, "help list --lang en"));
    assert!(!chinese(&world, "list -h"));
    assert!(!chinese(&world, "list -h --lang latin"), "what is no language is passed over");
    world.set_var("LANG", "zh_CN.UTF-8");
    assert!(chinese(&world, "list -h"));
    assert!(!chinese(&world, "--lang en list -h"));
    world.write("work/.sayso.toml", "language = \"en\"\n");
    assert!(chinese(&world, "list -h"), "a project's file does not choose a person's language");
    world.write("config/sayso/config.toml", "language = \"zh\"\nretention = 7\n");
    assert!(chinese(&world, "list -h"), "whatever else is wrong there");
    world.set_var("SAYSO_LANG", "en");
    assert!(!chinese(&world, "list -h"));
}

#[test]
fn completions_follow_the_language_setting() {
    let world = TestWorld::new();
    for shell in ["zsh", "fish", "bash"] {
        let [english, chinese] =
            ["en", "zh"].map(|lang| world.sayso(["completions", shell, "--lang", lang]).run());
        assert_eq!((english.exit, chinese.exit), (0, 0));
        let explains = shell != "bash";
        assert_eq!(chinese.stdout.contains("等待某个提问的答案"), explains, "{shell}");
        assert_eq!(english.stdout.contains("Wait for the answer"), explains, "{shell}");
        assert!(chinese.stdout.contains("AskUserQuestion"), "{shell}");
    }
}

#[test]
fn broken_settings_do_not_break_help() {
    let world = TestWorld::new();
    world.write("config/sayso/config.toml", "language = \n");
    for (locale, words) in [("C", "Usage: sayso list [OPTIONS]"), ("zh_CN.UTF-8", "用法：sayso list [选项]")]
    {
        let help = world.sayso(["list", "--help"]).env("LANG", locale).run();
        assert_eq!((help.exit, help.stderr.as_str()), (0, ""));
        assert!(help.stdout.contains(words), "{help:?}");
        assert_eq!(world.sayso(["list"]).env("LANG", locale).run().exit, 2);
    }
}

#[test]
fn compatible_commands_stay_english() {
    let world = TestWorld::new();
    for line in [&["auq", "--help"][..], &["auq", "ask", "-h"], &["AskUserQuestion", "-h"], &["--version"]] {
        let english = world.sayso(line).run();
        let chinese = world.sayso(line).env("SAYSO_LANG", "zh").run();
        assert_eq!(english.parts(), chinese.parts());
        assert_eq!(english.exit, 0);
    }
}

/// Returns invalid command lines of each kind, with their errors in both languages.
const WRONG: [(&[&str], &str, &str); 14] = [
    (
        &["lst"],
        "Unknown command 'lst'.\n  Did you mean list?\n  Usage: sayso [OPTIONS] [COMMAND]\n  More: sayso --help",
        "未知命令 'lst'。\n  是否想写 list？\n  用法：sayso [选项] [命令]\n  更多：sayso --help",
    ),
    (
        &["list", "extra"],
        "Unexpected option or argument 'extra'.\n  Usage: sayso list [OPTIONS]\n  More: sayso list --help",
        "多余的选项或参数 'extra'。\n  用法：sayso list [选项]\n  更多：sayso list --help",
    ),
    (
        &["ask", "--her"],
        "Unexpected option or argument '--her'.\n  Did you mean --here?\n  \
         Usage: sayso ask --here [WORDS|FILE|-|JSON] [OPTION]...\n  More: sayso ask --help",
        "多余的选项或参数 '--her'。\n  是否想写 --here？\n  用法：sayso ask --here [WORDS|FILE|-|JSON] [OPTION]...\n  更多：sayso ask --help",
    ),
    (
        &["ask", "--nonsense"],
        "Unexpected option or argument '--nonsense'.\n  To pass '--nonsense' as a value, write '-- --nonsense'.\n  \
         Usage: sayso ask [OPTIONS] [WORDS|FILE|-|JSON] [OPTION]...\n  More: sayso ask --help",
        "多余的选项或参数 '--nonsense'。\n  要把 '--nonsense' 作为值，请写 '-- --nonsense'。\n  \
         用法：sayso ask [选项] [WORDS|FILE|-|JSON] [OPTION]...\n  更多：sayso ask --help",
    ),
    (
        &["--state", "x", "list"],
        "Unexpected option or argument '--state'.\n  Did you mean list --state?\n  \
         Usage: sayso [OPTIONS] [COMMAND]\n  More: sayso --help",
        "多余的选项或参数 '--state'。\n  是否想写 list --state？\n  用法：sayso [选项] [命令]\n  更多：sayso --help",
    ),
    (
        &["--", "list"],
        "Unexpected option or argument 'list'.\n  To use the command 'list', remove the '--' before it.\n  \
         Usage: sayso [OPTIONS] [COMMAND]\n  More: sayso list --help",
        "多余的选项或参数 'list'。\n  要使用命令 'list'，请去掉前面的 '--'。\n  \
         用法：sayso [选项] [命令]\n  更多：sayso list --help",
    ),
    (
        &["ask", "--here", "--elsewhere", "{}"],
        "'--here' and '--elsewhere' cannot be given together.\n  Usage: sayso ask --here <WORDS|FILE|-|JSON> [OPTION]...\n  \
         More: sayso ask --help",
        "'--here' 和 '--elsewhere' 不能同时给出。\n  用法：sayso ask --here <WORDS|FILE|-|JSON> [OPTION]...\n  更多：sayso ask --help",
    ),
    (
        &["ask", "--here", "--here"],
        "'--here' cannot be given twice.\n  Usage: sayso ask [OPTIONS] [WORDS|FILE|-|JSON] [OPTION]...\n  More: sayso ask --help",
        "'--here' 不能重复给出。\n  用法：sayso ask [选项] [WORDS|FILE|-|JSON] [OPTION]...\n  更多：sayso ask --help",
    ),
    (
        &["token", "new"],
        "Missing: --role <ROLE>, --account <NAME>.\n  Usage: sayso token new --role <ROLE> --account <NAME>\n  \
         More: sayso token new --help",
        "缺少：--role <ROLE>, --account <NAME>。\n  用法：sayso token new --role <ROLE> --account <NAME>\n  \
         更多：sayso token new --help",
    ),
    (
        &["token", "new", "--role", "askr"],
        "Invalid value 'askr' for '--role <ROLE>'. Available: asker, person, admin, service.\n  Did you mean asker?\n  \
         More: sayso token new --help",
        "'--role <ROLE>' 的值 'askr' 无效。可用：asker, person, admin, service。\n  是否想写 asker？\n  更多：sayso token new --help",
    ),
    (
        &["ask", "--key"],
        "'--key <KEY>' needs a value.\n  More: sayso ask --help",
        "'--key <KEY>' 需要一个值。\n  更多：sayso ask --help",
    ),
    (
        &["show", "--json=yes", "x"],
        "Unexpected value 'yes' for '--json'.\n  Usage: sayso show --json <ID>\n  More: sayso show --help",
        "'--json' 之后不应有值 'yes'。\n  用法：sayso show --json <ID>\n  更多：sayso show --help",
    ),
    (
        &["serve", "--rate", "many"],
        "Invalid value 'many' for '--rate <COUNT>': not a whole number.\n  More: sayso serve --help",
        "'--rate <COUNT>' 的值 'many' 无效：不是整数。\n  更多：sayso serve --help",
    ),
    (
        &["token", "--desk", "x"],
        "'sayso token' needs a command after it. Available: new, list, revoke, help.\n  \
         Usage: sayso token [OPTIONS] <COMMAND>\n  More: sayso token --help",
        "'sayso token' 之后需要一个命令。可用：new, list, revoke, help。\n  \
         用法：sayso token [选项] <命令>\n  更多：sayso token --help",
    ),
];

#[test]
fn usage_errors_are_translated() {
    let world = TestWorld::new();
    for (line, english, chinese) in WRONG {
        let ended = world.sayso(line).run();
        let words = format!("sayso: {english}\n");
        assert_eq!(ended.parts(), (2, "", words.as_str()), "{line:?}");
        let ended = world.sayso(line).env("LANG", "zh_CN.UTF-8").run();
        let words = format!("sayso: {chinese}\n");
        assert_eq!(ended.parts(), (2, "", words.as_str()), "{line:?}");
    }
    let only_help = world.sayso(["token"]).env("LANG", "zh_CN.UTF-8").run();
    assert_eq!((only_help.exit, only_help.stdout.as_str()), (2, ""));
    assert!(only_help.stderr.contains("\n用法：sayso token <命令>\n"), "{only_help:?}");
    assert!(!world.desk_file().exists());
}

#[test]
fn language_is_known_before_usage_error() {
    let world = TestWorld::new();
    for line in [["--nonsense", "--lang", "zh"], ["--lang", "zh", "--nonsense"]] {
        let ended = world.sayso(line).run();
        assert!(
            ended.exit == 2 && ended.stderr.starts_with("sayso: 多余的选项或参数 '--nonsense'。\n"),
            "{ended:?}"
        );
    }
}
