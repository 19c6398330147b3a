// Problems of an answer.
macro_rules! answers {
    ([$($next:ident)*] $($before:tt)*) => { gather! { [$($next)*] $($before)*
        NeedsSomeAnswer: "At least one question needs an answer.", "至少需要回答一个问题。";
        NeedsAnswer: "This question needs an answer", "请回答此题";
        WantsPicks: "This question wants picks among its options.", "此题需要从选项中选择。";
        WantsText: "This question wants text.", "此题需要文字。";
        WantsConfirm: "This question wants yes or no.", "此题需要回答是或否。";
        WantsRating: "This question wants a whole number from {0} to {1}.", "此题需要 {0} 到 {1} 的整数。";
        WantsNumber: "This question wants a number, like 12.5.", "此题需要数字，如 12.5。";
        WantsDate: "This question wants a date, like 2026-03-01.", "此题需要日期，如 2026-03-01。";
        WantsTime: "This question wants a time of day, like 14:30.", "此题需要时间，如 14:30。";
        NoSuchDay: "This date does not exist: {0}", "没有这一天：{0}";
        NoSuchTime: "This time does not exist: {0}", "没有这个时间：{0}";
        WantsDatetime: "This question wants a date with a time, like 2026-03-01 14:30.", "此题需要日期和时间，如 2026-03-01 14:30。";
        DoesNotFit: "This is no answer to the question.", "这不是此题的有效答案。";
        MinPicksOne: "Choose at least one.", "请至少选择一项。";
        MinPicks: "Choose at least {0}.", "请至少选择 {0} 项。";
        MaxPicks: "Choose at most {0}.", "最多选择 {0} 项";
        MinLength: "Write at least {0} characters.", "请至少输入 {0} 个字符。";
        MaxLength: "Write at most {0} characters.", "最多输入 {0} 个字符。";
        PatternUnmet: "This does not have the required form: {0}", "格式不符合要求：{0}";
        PatternNotChecked: "The asker's pattern for this answer takes too many steps to check, and an unchecked answer is not accepted here.", "提问方为此答案设定的模式检查步骤过多，而此处不接受未经检查的答案。";
        PatternNotCheckedHint: "Try a shorter answer, decline, or leave the question open.", "可改用较短的答案、拒绝回答，或暂不回答。";
        AtLeast: "It must be at least {0}.", "不能小于 {0}。";
        AtMost: "It must be at most {0}.", "不能大于 {0}。";
        NotBefore: "It must not be before {0}.", "不能早于 {0}。";
        NotAfter: "It must not be after {0}.", "不能晚于 {0}。";
        MultipleOf: "It must be a multiple of {0}.", "须为 {0} 的倍数。";
        NoteTooLong: "The note has {0} bytes; at most {1} are allowed.", "附注有 {0} 字节，最多允许 {1} 字节。";
        OnlyOnePick: "Only one option can be picked.", "只能选择一项。";
        NoSuchOption: "There is no option {0}.", "没有选项 {0}。";
        AnswerShape: "An answer to this question looks like {0}", "此题的答案应形如 {0}";
        NoSuchQuestion: "There is no question {0}.", "没有问题 {0}。";
        PickedTwice: "The same option is picked twice.", "同一选项选了两次。";
        OneOther: "Only one answer of your own can be given.", "自定义答案只能有一个。";
        TooManyPicks: "{0} picks exceed the possible number.", "选择了 {0} 项，超过可能的数量。";
        OwnReserved: "{0} has another meaning here and cannot be an answer: type another text.", "{0} 在此另有含义，不能作为答案：请输入其他文字。";
        NoOther: "This question does not accept answers of your own.", "此题不接受自定义答案。";
        OtherAlone: "An answer of your own cannot be combined with other picks here.", "此题的自定义答案不能与其他选项同时选择。";
        TextTooLong: "The text has {0} bytes; at most {1} are allowed.", "文字有 {0} 字节，最多允许 {1} 字节。";
        AnswersNeedAttention: "{0} {0:answer needs|answers need} attention.", "有 {0} 个答案需要处理。";
        AmbiguousLabel: "Several options have the label {0}: use an id.", "有多个选项名为 {0}：请用标识指明。";
    } };
}
