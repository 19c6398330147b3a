// Words of the element that pages show a questionnaire with.
macro_rules! element {
    ([$($next:ident)*] $($before:tt)*) => { gather! { [$($next)*] $($before)*
        CustomOption: "Custom", "自定义";
        OtherName: "Other", "其他";
        ChooseHere: "Choose…", "请选择…";
        QuotedLabel: "(“{0:foreign}”)", "（“{0:foreign}”）";
        OptionalTag: "optional", "选答";
        CharactersLeft: "{0} {0:character|characters} left", "还可输入 {0} 个字符";
        CharactersOver: "{0} {0:character|characters} too many", "多出 {0} 个字符";
        DateIncomplete: "Complete this date or time.", "请填写完整的日期或时间。";
        ClearAnswer: "Clear", "清除";
        AddNote: "Add a note", "添加附注";
        AddFormNote: "Add a note on the whole form", "添加对整份表单的附注";
        NoteLabel: "Note to the agent", "给智能体的附注";
        FollowUpsAdded: "{0} follow-up {0:question|questions} added", "新增 {0} 道追问";

        SubmitLabel: "Submit", "提交";
        ApproveLabel: "Approve", "批准";
        NextStep: "Continue", "继续";
        BackStep: "Back", "返回";
        SkipSection: "Skip this section", "跳过此部分";
        ReviewNext: "Review answers", "确认答案";
        StepsLabel: "Steps", "步骤";
        StepOf: "Step {0} of {1}", "第 {0} 步，共 {1} 步";
        SubmitSends: "“{0:foreign}” sends your answers", "“{0:foreign}”会提交您的答案";
        SubmitReviews: "“{0:foreign}” shows your answers once more before they are sent", "“{0:foreign}”会在提交前再次显示您的答案";
        CancelLabelDeclines: "“{0:foreign}” declines", "“{0:foreign}”表示拒绝";

        SendUnseen: "Submit, {0} of {1} {1:line|lines} not shown", "提交，共 {1} 行，其中 {0} 行未显示";
        ShowUnseen: "Show the first of them", "查看其中第一行";

        ChangeAnswer: "Change", "修改";
        NotProvided: "Not provided", "未填写";
        SearchOptions: "Search the options", "搜索选项";
        StepsBy: "In steps of {0}.", "步长为 {0}。";
        OptionsOffered: "Offered:", "可选项：";
        HiddenNotSent: "Not sent, hidden by your other answers: {0}", "不会提交（因其他答案而隐藏）：{0}";

        DeclineTells: "The agent learns that you declined.", "智能体会得知您已拒绝。";
        DeclineReasonLabel: "Reason (optional)", "理由（选填）";
        KeepAnswering: "Keep answering", "继续回答";

        AnsweredHead: "Submitted", "已提交";
        HookPermission: "Allow \"{0:foreign}\"?", "允许“{0:foreign}”吗？";
        HookPlan: "Go ahead with this plan?", "按此计划进行吗？";
        HookPlanNamed: "Go ahead with this plan? \"{0:foreign}\"", "按此计划进行吗？“{0:foreign}”";
        AllowAction: "Allow this?", "允许此操作吗？";
        ApprovedHead: "Approved", "已批准";
        AnsweredNoHead: "Answered no", "已回答“否”";
        DeclinedHead: "Declined", "已拒绝";
        CancelledHead: "The agent withdrew this request.", "智能体已撤回此请求。";
        ExpiredHead: "The deadline passed without an answer.", "期限已过，未作回答。";
        TypedNotSent: "You had typed this. It was not sent:", "您已输入以下内容，但未提交：";

        InteractionOff: "Interactive mode disabled — enable to respond", "交互模式已关闭，启用后方可回答";
        DeskConsent: "This asks for your consent: answer it at the desk", "此请求需要您的同意，请前往服务台答复";
        AnswerAtDesk: "Answer at the desk", "前往服务台回答";
        AnswerThere: "This is answered at the desk. In a terminal: {0}", "请在服务台回答。在终端中运行：{0}";
        ConsentThere: "Consent is given at the desk, with what you type here. In a terminal: {0}", "请在服务台表示同意，您在此输入的内容会一并带过去。在终端中运行：{0}";
        AnswerLost: "The program could not send this. Your answers are still here. In a terminal: {0}", "程序未能发送。您的答案仍保留在此处。也可在终端中运行：{0}";
        LinkEnable: "Enable link", "启用链接";
    } };
}
