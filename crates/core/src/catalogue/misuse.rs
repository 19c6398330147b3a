// What is wrong with a command line. The English is what the library for command lines prints, and of reasons what the
// standard library says; both are found by these words.
macro_rules! misuse {
    ([$($next:ident)*] $($before:tt)*) => { gather! { [$($next)*] $($before)*
        WrongLine: "error: {0}", "错误：{0}";
        LineTip: "tip: {0}", "提示：{0}";
        MoreInHelp: "For more information, try '--help'.", "更多信息请用 '--help' 查看。";

        ArgUnexpected: "unexpected argument '{0}' found", "无法识别的参数 '{0}'";
        ArgTwice: "the argument '{0}' cannot be used multiple times", "参数 '{0}' 不能重复使用";
        ArgConflict: "the argument '{0}' cannot be used with '{1}'", "参数 '{0}' 不能与 '{1}' 同时使用";
        ArgConflicts: "the argument '{0}' cannot be used with:", "参数 '{0}' 不能与以下参数同时使用：";
        ArgsMissing: "the following required arguments were not provided:", "缺少以下必需的参数：";
        CommandUnknown: "unrecognized subcommand '{0}'", "没有命令 '{0}'";
        CommandNeeded: "'{0}' requires a subcommand but one was not provided", "'{0}' 之后需要一个命令，但没有给出";
        CommandsAre: "[subcommands: {0}]", "[命令：{0}]";
        ValueNeeded: "a value is required for '{0}' but none was supplied", "'{0}' 需要一个值，但没有给出";
        ValueWrong: "invalid value '{0}' for '{1}'", "'{1}' 的值 '{0}' 无效";
        ValueWrongWhy: "invalid value '{0}' for '{1}': {2}", "'{1}' 的值 '{0}' 无效：{2}";
        ValueUnexpected: "unexpected value '{0}' for '{1}' found; no more were expected", "'{1}' 之后不应有值 '{0}'";
        LineNotUtf8: "invalid UTF-8 was detected in one or more arguments", "参数中有无效的 UTF-8";

        SimilarCommand: "a similar subcommand exists: {0}", "有相近的命令：{0}";
        SimilarCommands: "some similar subcommands exist: {0}", "有几个相近的命令：{0}";
        SimilarArg: "a similar argument exists: {0}", "有相近的参数：{0}";
        SimilarValue: "a similar value exists: {0}", "有相近的值：{0}";
        TipAsValue: "to pass '{0}' as a value, use '{1}'", "要把 '{0}' 作为值，请写 '{1}'";
        TipElsewhere: "'{0}' exists", "可用 '{0}'";
        TipDashes: "subcommand '{0}' exists; to use it, remove the '--' before it", "有命令 '{0}'；要使用它，请去掉前面的 '--'";

        WhyNoDigit: "invalid digit found in string", "不是整数";
        WhyNoNumber: "cannot parse integer from empty string", "没有数字";
        WhyTooLarge: "number too large to fit in target type", "数字过大";
        WhyNotWithin: "{0} is not in {1}", "{0} 不在 {1} 范围内";
        WhyNoAddress: "expected an IP address with a port, as 127.0.0.1:7207, or a port alone", "应写作 IP 地址加端口，如 127.0.0.1:7207，或只写端口";
    } };
}
