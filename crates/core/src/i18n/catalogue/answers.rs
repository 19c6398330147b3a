// Problems of an answer.
macro_rules! answers {
    ([$($next:ident)*] $($before:tt)*) => { gather! { [$($next)*] $($before)*
        NeedsSomeAnswer: "At least one question needs an answer.", "至少需要回答一个问题。";
        NeedsAnswer: "This question needs an answer", "请回答此题";
        WantsPicks: "Pick from the options.", "请从选项中选择。";
        WantsText: "The answer must be text.", "答案须为文字。";
        WantsConfirm: "The answer must be yes or no.", "答案须为是或否。";
        WantsRating: "The answer must be a whole number from {0} to {1}.", "答案须为 {0} 到 {1} 的整数。";
        WantsNumber: "The answer must be a number, such as 12.5.", "答案须为数字，如 12.5。";
        WantsDate: "The answer must be a date, such as 2026-03-01.", "答案须为日期，如 2026-03-01。";
        WantsTime: "The answer must be a time of day, such as 14:30.", "答案须为时间，如 14:30。";
        NoSuchDay: "This date does not exist: {0}", "此日期不存在：{0}";
        NoSuchTime: "This time does not exist: {0}", "此时间不存在：{0}";
        WantsDatetime: "The answer must be a date with a time, such as 2026-03-01 14:30.", "答案须为日期加时间，如 2026-03-01 14:30。";
        DoesNotFit: "This is not a valid answer to the question.", "这不是此题的有效答案。";
        MinPicksOne: "Choose at least one.", "请至少选择一项。";
        MinPicks: "Choose at least {0}.", "请至少选择 {0} 项。";
        MaxPicks: "Choose at most {0}.", "最多选择 {0} 项";
        MinLength: "Write at least {0} {0:character|characters}.", "请至少输入 {0} 个字符。";
        MaxLength: "Write at most {0} {0:character|characters}.", "最多输入 {0} 个字符。";
        PatternUnmet: "The answer does not match the required format: \"{0:foreign}\"", "格式不符合要求：“{0:foreign}”";
        PatternNotChecked: "Checking this answer against the asker's pattern takes too many steps, and unchecked answers are not accepted here.", "按提问方的模式检查此答案所需步骤过多，而此处不接受未经检查的答案。";
        PatternNotCheckedHint: "Try a shorter answer, decline, or leave the question open.", "可改用较短的答案、拒绝回答，或暂不回答。";
        AtLeast: "It must be at least {0}.", "不能小于 {0}。";
        AtMost: "It must be at most {0}.", "不能大于 {0}。";
        NotBefore: "It must not be before {0}.", "不能早于 {0}。";
        NotAfter: "It must not be after {0}.", "不能晚于 {0}。";
        MultipleOf: "It must be a multiple of {0}.", "须为 {0} 的倍数。";
        NoteTooLong: "The note has {0} bytes; at most {1} are allowed.", "附注有 {0} 字节，最多允许 {1} 字节。";
        OnlyOnePick: "Only one option can be picked.", "只能选择一项。";
        NoSuchOption: "There is no option \"{0:foreign}\".", "没有选项“{0:foreign}”。";
        AnswerShape: "Write the answer like this: {0}", "答案的写法示例：{0}";
        NoSuchQuestion: "There is no question \"{0:foreign}\".", "没有问题“{0:foreign}”。";
        PickedTwice: "An option is picked twice.", "同一选项选了两次。";
        OneOther: "Only one answer of your own is allowed.", "自定义答案只能有一个。";
        TooManyPicks: "{0} picks are more than this question allows.", "选择了 {0} 项，超过此题允许的数量。";
        OwnReserved: "\"{0:foreign}\" is reserved in the asker's format and cannot be an answer. Type another text.", "“{0:foreign}”是提问方格式的保留字，不能作为答案。请输入其他文字。";
        NoOther: "This question does not accept answers of your own.", "此题不接受自定义答案。";
        OtherAlone: "An answer of your own cannot be combined with other picks here.", "此题的自定义答案不能与其他选项同时选择。";
        TextTooLong: "The text has {0} bytes; at most {1} are allowed.", "文字有 {0} 字节，最多允许 {1} 字节。";
        AnswersNeedAttention: "{0} {0:answer needs|answers need} attention.", "有 {0} 个答案需要处理。";
        AmbiguousLabel: "Several options have the label \"{0:foreign}\": use an id.", "有多个选项名为“{0:foreign}”：请用标识指明。";
    } };
}
