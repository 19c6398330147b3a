//! Help, and what is wrong with a command line, to those who read Chinese.

use crate::world::World;

/// What stands in Chinese sentences as it is typed: names, values, places and examples.
const LITERALS: &str = "API AUQ AskUserQuestion FILE H HTTP JSON MCP OpenAPI PATH PORT SAYSO_TOKEN_FILE Sayso URL admin all \
    answer answered answers app ask ask_user ask_user_questions asker auq bash cancel_ask cancelled com compat curl d \
    days declined desk doctor elvish en example expired fish get_answered_questions h help https interrupt json \
    list list_asks open openapi pending person powershell s sayso schema scripted_answers shell sqlite strict submitted \
    text tool true typescript wait_for_answer zh zod zsh";

/// What is typed for the help of each command: the commands that the program lists, and those that they list.
fn lines(world: &World) -> Vec<Vec<String>> {
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

/// Every help there is in Chinese, with what is typed for it.
fn helps(world: &World) -> Vec<(String, String)> {
    let asked = lines(world)
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

/// What is said in a line of a help, without the names that it is said of.
fn said(line: &str) -> &str {
    let words = line.trim_start();
    match line.len() - words.len() {
        0 => words,
        10.. => words.split_once(": ").filter(|_| words.starts_with("- ")).map_or(words, |(_, said)| said),
        _ => words.split_once("  ").map_or("", |(_, said)| said),
    }
}

#[test]
fn every_help_is_chinese_but_for_what_is_typed() {
    let world = World::new();
    for (typed, help) in helps(&world) {
        let usage =
            help.lines().find_map(|line| line.strip_prefix("用法：")).unwrap_or_else(|| panic!("{help}"));
        assert!(
            usage.starts_with("sayso") && !usage.contains("OPTIONS") && !usage.contains("COMMAND"),
            "{usage}"
        );
        for line in help.lines().filter(|line| !line.starts_with("用法：")) {
            let words = said(line).split(|c: char| !c.is_ascii_alphabetic() && c != '_');
            let is_literal = |word: &&str| LITERALS.split(' ').any(|literal| literal == *word);
            let left: Vec<_> = words.filter(|word| !word.is_empty() && !is_literal(word)).collect();
            assert!(left.is_empty(), "{typed}: {left:?} in {line}");
        }
    }
}

#[test]
fn what_is_said_begins_in_the_same_column() {
    let world = World::new();
    for (typed, help) in helps(&world).into_iter().filter(|(typed, _)| typed.ends_with("-h")) {
        for section in help.split("\n\n").filter(|section| section.contains("：\n  ")) {
            let begins = |line: &str| {
                let names = line.len() - said(line).trim_start().len();
                assert!(line.get(..names).is_some_and(str::is_ascii), "{typed}: {line}");
                names
            };
            let columns: Vec<_> = section.lines().skip(1).map(begins).collect();
            assert!(columns.iter().all(|column| *column == columns[0]), "{typed}:\n{section}");
        }
    }
}

#[test]
fn help_is_in_the_language_of_everything_else() {
    let mut world = World::new();
    let chinese = |world: &World, line: &str| {
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
    world.set("LANG", "zh_CN.UTF-8");
    assert!(chinese(&world, "list -h"));
    assert!(!chinese(&world, "--lang en list -h"));
    world.write("work/.sayso.toml", "language = \"en\"\n");
    assert!(!chinese(&world, "list -h"));
    world.write("config/sayso/config.toml", "language = \"zh\"\nretention = 7\n");
    assert!(chinese(&world, "list -h"), "whatever else is wrong there");
    world.set("SAYSO_LANG", "en");
    assert!(!chinese(&world, "list -h"));
}

#[test]
fn completions_explain_in_the_language_of_everything_else() {
    let world = World::new();
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
fn broken_settings_do_not_stop_the_help() {
    let world = World::new();
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
fn those_who_speak_as_another_program_stay_as_they_are() {
    let world = World::new();
    for line in [&["auq", "--help"][..], &["auq", "ask", "-h"], &["AskUserQuestion", "-h"], &["--version"]] {
        let english = world.sayso(line).run();
        let chinese = world.sayso(line).env("SAYSO_LANG", "zh").run();
        assert_eq!(english.parts(), chinese.parts());
        assert_eq!(english.exit, 0);
    }
}

/// Lines of each kind that is wrong, with what is said about them in both languages. What they all end with is left out.
const WRONG: [(&[&str], &str, &str); 14] = [
    (
        &["lst"],
        "error: unrecognized subcommand 'lst'\n\n  tip: a similar subcommand exists: 'list'\n\n\
         Usage: sayso [OPTIONS] [COMMAND]",
        "错误：没有命令 'lst'\n\n  提示：有相近的命令：'list'\n\n用法：sayso [选项] [命令]",
    ),
    (
        &["list", "extra"],
        "error: unexpected argument 'extra' found\n\nUsage: sayso list [OPTIONS]",
        "错误：无法识别的参数 'extra'\n\n用法：sayso list [选项]",
    ),
    (
        &["ask", "--her"],
        "error: unexpected argument '--her' found\n\n  tip: a similar argument exists: '--here'\n\n\
         Usage: sayso ask --here [FILE|-|JSON]",
        "错误：无法识别的参数 '--her'\n\n  提示：有相近的参数：'--here'\n\n用法：sayso ask --here [FILE|-|JSON]",
    ),
    (
        &["ask", "--nonsense"],
        "error: unexpected argument '--nonsense' found\n\n  tip: to pass '--nonsense' as a value, use '-- --nonsense'\n\n\
         Usage: sayso ask [OPTIONS] [FILE|-|JSON]",
        "错误：无法识别的参数 '--nonsense'\n\n  提示：要把 '--nonsense' 作为值，请写 '-- --nonsense'\n\n\
         用法：sayso ask [选项] [FILE|-|JSON]",
    ),
    (
        &["--state", "x", "list"],
        "error: unexpected argument '--state' found\n\n  tip: 'list --state' exists\n\nUsage: sayso [OPTIONS] [COMMAND]",
        "错误：无法识别的参数 '--state'\n\n  提示：可用 'list --state'\n\n用法：sayso [选项] [命令]",
    ),
    (
        &["--", "list"],
        "error: unexpected argument 'list' found\n\n  \
         tip: subcommand 'list' exists; to use it, remove the '--' before it\n\nUsage: sayso [OPTIONS] [COMMAND]",
        "错误：无法识别的参数 'list'\n\n  提示：有命令 'list'；要使用它，请去掉前面的 '--'\n\n用法：sayso [选项] [命令]",
    ),
    (
        &["ask", "--here", "--elsewhere", "{}"],
        "error: the argument '--here' cannot be used with '--elsewhere'\n\nUsage: sayso ask --here <FILE|-|JSON>",
        "错误：参数 '--here' 不能与 '--elsewhere' 同时使用\n\n用法：sayso ask --here <FILE|-|JSON>",
    ),
    (
        &["ask", "--here", "--here"],
        "error: the argument '--here' cannot be used multiple times\n\nUsage: sayso ask [OPTIONS] [FILE|-|JSON]",
        "错误：参数 '--here' 不能重复使用\n\n用法：sayso ask [选项] [FILE|-|JSON]",
    ),
    (
        &["token", "new"],
        "error: the following required arguments were not provided:\n  --role <ROLE>\n  --account <NAME>\n\n\
         Usage: sayso token new --role <ROLE> --account <NAME>",
        "错误：缺少以下必需的参数：\n  --role <ROLE>\n  --account <NAME>\n\n\
         用法：sayso token new --role <ROLE> --account <NAME>",
    ),
    (
        &["token", "new", "--role", "askr"],
        "error: invalid value 'askr' for '--role <ROLE>'\n  [possible values: asker, person, admin]\n\n  \
         tip: a similar value exists: 'asker'",
        "错误：'--role <ROLE>' 的值 'askr' 无效\n  [可选值：asker, person, admin]\n\n  提示：有相近的值：'asker'",
    ),
    (
        &["ask", "--key"],
        "error: a value is required for '--key <KEY>' but none was supplied",
        "错误：'--key <KEY>' 需要一个值，但没有给出",
    ),
    (
        &["show", "--json=yes", "x"],
        "error: unexpected value 'yes' for '--json' found; no more were expected\n\nUsage: sayso show --json <ID>",
        "错误：'--json' 之后不应有值 'yes'\n\n用法：sayso show --json <ID>",
    ),
    (
        &["serve", "--rate", "many"],
        "error: invalid value 'many' for '--rate <COUNT>': invalid digit found in string",
        "错误：'--rate <COUNT>' 的值 'many' 无效：不是整数",
    ),
    (
        &["token", "--desk", "x"],
        "error: 'sayso token' requires a subcommand but one was not provided\n  \
         [subcommands: new, list, revoke, help]\n\nUsage: sayso token [OPTIONS] <COMMAND>",
        "错误：'sayso token' 之后需要一个命令，但没有给出\n  [命令：new, list, revoke, help]\n\n用法：sayso token [选项] <命令>",
    ),
];

#[test]
fn what_is_wrong_with_a_line_is_told_in_both_languages() {
    let world = World::new();
    for (line, english, chinese) in WRONG {
        let ended = world.sayso(line).run();
        let words = format!("{english}\n\nFor more information, try '--help'.\n");
        assert_eq!(ended.parts(), (2, "", words.as_str()), "{line:?}");
        let ended = world.sayso(line).env("LANG", "zh_CN.UTF-8").run();
        let words = format!("{chinese}\n\n更多信息请用 '--help' 查看。\n");
        assert_eq!(ended.parts(), (2, "", words.as_str()), "{line:?}");
    }
    let only_help = world.sayso(["token"]).env("LANG", "zh_CN.UTF-8").run();
    assert_eq!((only_help.exit, only_help.stdout.as_str()), (2, ""));
    assert!(only_help.stderr.contains("\n用法：sayso token [选项] <命令>\n"), "{only_help:?}");
    assert!(!world.desk_file().exists());
}

#[test]
fn the_language_is_known_where_the_line_is_wrong_before_it_is_named() {
    let world = World::new();
    for line in [["--nonsense", "--lang", "zh"], ["--lang", "zh", "--nonsense"]] {
        let ended = world.sayso(line).run();
        assert!(
            ended.exit == 2 && ended.stderr.starts_with("错误：无法识别的参数 '--nonsense'\n"),
            "{ended:?}"
        );
    }
}
