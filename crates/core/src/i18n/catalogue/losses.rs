// Features that an interrupt cannot express, and their replacements.
macro_rules! losses {
    ([$($next:ident)*] $($before:tt)*) => { gather! { [$($next)*] $($before)*
        TypedInstead: "its answer is picked or typed as text", "以选项或文字回答";
        TypeAnswer: "Type the answer", "输入回答";
        SeveralTyped: "Several, with commas between them", "多项，用逗号隔开";
        NoAnswerOption: "No answer", "不回答";
        AlwaysAsked: "it is always asked", "始终提问";
        LostAction: "the action as data", "将执行的操作（数据）";
        LostButton: "the label of the button", "按钮文字";
        LostCompleted: "the text shown after the answer", "回答后显示的内容";
        LostSection: "the section; its questions are asked without it", "部分；其中的问题单独列出";
        LostCondition: "the condition for asking it", "提问条件";
        LostFollowUp: "that it follows up another question", "作为另一问题的追问";
        LostBeside: "members that only {0} supports", "只有 {0} 才能表达的内容";
        LostLabel: "the short name", "短标签";
        LostDetail: "the text under the question", "问题下方的说明";
        LostPlaceholder: "the example in the text box", "输入示例";
        LostPrefill: "the prefilled answer", "预填的答案";
        LostUnchecked: "that the form does not check answers", "界面不校验答案";
        LostConstraint: "the constraint on answers", "对答案的约束";
        LostId: "its id; its number is used instead", "自有名称；改用序号";
        LostOwnLabel: "the label of the own answer", "自定义答案的名称";
        LostOwnPlace: "the place of the own answer, which comes last instead", "自定义答案的位置；改为最后";
        LostDescription: "the description of the option", "选项说明";
        LostPreview: "the preview of the option", "选项预览";
        LostRecommended: "that it is recommended", "推荐标记";
        LostRule: "the rule {0}; answers are checked differently", "规则 {0}；答案按其他方式判断";
        LostKind: "a question of the kind {0}", "{0} 类问题";
        LostMulti: "a choice of several options", "可多选的选择题";
        NothingToAsk: "No part of it can be asked in {0}.", "其中没有任何内容可以用 {0} 提问。";
        LostPrompt: "the text of the question", "问题的文字";
        LostLabels: "the labels of yes and no", "“是”“否”的名称";
    } };
}
