// Usage errors of the command line.
macro_rules! misuse {
    ([$($next:ident)*] $($before:tt)*) => { gather! { [$($next)*] $($before)*
        MoreInHelp: "More: {0} --help", "更多：{0} --help";

        ArgUnexpected: "Unexpected option or argument '{0}'.", "多余的选项或参数 '{0}'。";
        ArgTwice: "'{0}' cannot be given twice.", "'{0}' 不能重复给出。";
        ArgConflict: "'{0}' and '{1}' cannot be given together.", "'{0}' 和 '{1}' 不能同时给出。";
        ArgConflicts: "'{0}' cannot be given together with {1}.", "'{0}' 不能与 {1} 同时给出。";
        ArgsMissing: "Missing: {0}.", "缺少：{0}。";
        CommandUnknown: "Unknown command '{0}'.", "未知命令 '{0}'。";
        CommandNeeded: "'{0}' needs a command after it.", "'{0}' 之后需要一个命令。";
        ValueNeeded: "'{0}' needs a value.", "'{0}' 需要一个值。";
        ValueWrong: "Invalid value '{0}' for '{1}'.", "'{1}' 的值 '{0}' 无效。";
        ValueWrongWhy: "Invalid value '{0}' for '{1}': {2}.", "'{1}' 的值 '{0}' 无效：{2}。";
        ValueUnexpected: "Unexpected value '{0}' for '{1}'.", "'{1}' 之后不应有值 '{0}'。";
        LineNotUtf8: "An argument is not UTF-8.", "有参数不是 UTF-8 文本。";

        TipAsValue: "To pass '{0}' as a value, write '{1}'.", "要把 '{0}' 作为值，请写 '{1}'。";
        TipDashes: "To use the command '{0}', remove the '--' before it.", "要使用命令 '{0}'，请去掉前面的 '--'。";

        WhyNoDigit: "not a whole number", "不是整数";
        WhyNoNumber: "the number is missing", "缺少数字";
        WhyTooLarge: "the number is too large", "数字过大";
        WhyNotWithin: "{0} is not in {1}", "{0} 不在 {1} 范围内";
        WhyNoAddress: "expected an IP address with a port, such as 127.0.0.1:7207, or a port alone", "应写作 IP 地址加端口，如 127.0.0.1:7207，或只写端口";
    } };
}
