// Lifecycle of an ask: actions, and the reasons why one is no longer possible.
macro_rules! asks {
    ([$($next:ident)*] $($before:tt)*) => { gather! { [$($next)*] $($before)*
        SaidByScript: "scripted", "由程序给出";
        SaidByRelay: "relayed", "由程序转达";
        SaidByToken: "token", "凭令牌";
        SaidInElement: "embedded form", "嵌入的表单";
        SaidInBrowser: "browser session", "浏览器会话";
        SaidAtTerminal: "terminal", "终端";
        AskNotFound: "This desk has no ask {0}.", "此服务台没有提问 {0}。";
        AskDamaged: "The ask {0} is damaged: the stored data differs from what was written.", "提问 {0} 已损坏：存储的数据与写入的不同。";
        RowDamaged: "damaged; for details: sayso desk check", "已损坏；查看详情：sayso desk check";
        RowDamagedHint: "Its contents are not shown; everything else works. `sayso desk check` lists all damage, and `sayso desk restore FILE` restores a backup.", "其内容不予显示，其余一切照常。`sayso desk check` 列出全部损坏，`sayso desk restore FILE` 恢复备份。";
        KeyDamaged: "The data stored for the key {0} is damaged: it differs from what was written.", "键 {0} 的存储数据已损坏：与写入的不同。";
        ThreadDamaged: "The thread {0} is damaged: the stored data differs from what was written.", "会话 {0} 已损坏：存储的数据与写入的不同。";
        SeeList: "To list all asks: sayso list --state all", "查看全部：sayso list --state all";
        AnsweredLongAgo: "The ask {0} was answered at {1} and has since been deleted.", "提问 {0} 已于 {1} 得到回答，现已删除。";
        DeclinedLongAgo: "The ask {0} was declined at {1} and has since been deleted.", "提问 {0} 已于 {1} 被拒绝，现已删除。";
        CancelledLongAgo: "The ask {0} was cancelled at {1} and has since been deleted.", "提问 {0} 已于 {1} 被撤回，现已删除。";
        ExpiredLongAgo: "The ask {0} expired at {1} and has since been deleted.", "提问 {0} 已于 {1} 过期，现已删除。";
        AmbiguousId: "{0} matches several asks: {1}.", "{0} 对应多个提问：{1}。";
        AskAnswered: "{0} already answered this, at {1}.", "{0} 已于 {1} 回答。";
        AskDeclined: "{0} already declined this, at {1}.", "{0} 已于 {1} 拒绝回答。";
        AskCancelled: "The asker cancelled this question.", "提问方已撤回此问题。";
        AskExpired: "The deadline of this question has passed.", "此问题的截止时间已过。";
        AskSubmitted: "An answer has been submitted and is waiting for the asker's verdict.", "答案已提交，正等待提问方审核。";
        AskOpen: "This question is still open.", "此问题仍待回答。";
        AskChanged: "The question has changed since it was shown.", "问题在显示之后已改变。";
        ShowAgain: "Open it again: sayso answer {0}", "请重新打开：sayso answer {0}";
        TextKeptAt: "Everything you typed is kept: sayso show {0} prints it.", "您输入的内容都已保留，可用 sayso show {0} 查看。";
        TextKept: "Everything you typed is kept: sayso show prints it.", "您输入的内容都已保留，可用 sayso show 查看。";
        TooManyKept: "The asks of this account use {0} MiB at this desk; the limit is {1} MiB.", "此账户的提问在此服务台已占用 {0} MiB，上限为 {1} MiB。";
        KeptUntil: "Shorten the request, or wait: the oldest settled ask of this account is deleted at {0}.", "请缩短请求，或等待：此账户最早结束的提问将于 {0} 删除。";
        KeptWhileOpen: "Cancel asks that are no longer needed; all of them are still open.", "请取消不再需要的提问；目前所有提问均未结束。";
        TooManyAsked: "This account has created {0} asks within an hour, which is the limit.", "此账户一小时内已提问 {0} 次，达到上限。";
        AskedAgainFrom: "It can ask again from {0}.", "自 {0} 起可再次提问。";
        TooManyOpen: "This account already has {0} open asks.", "此账户已有 {0} 个待答提问。";
        ReplySavedSince: "Someone else has since saved an answer to this question.", "其间他人已保存此题的答案。";
        DraftChanged: "Someone else has since saved answers to {0} of these questions, so nothing was saved.", "其间他人已保存其中 {0} 题的答案，因此未保存任何内容。";
        DraftChangedHint: "Read the draft again, and save with its current revision.", "请重新读取草稿，并以其当前版本号保存。";
        WrongRound: "Round {0} is waiting for a verdict, not round {1}.", "等待审核的是第 {0} 轮，不是第 {1} 轮。";
        KeyReused: "The key {0} was already used for a different request.", "键 {0} 之前已用于别的请求。";
        KeyOfAsk: "The key {0} was already used for a different request: it belongs to the ask {1}.", "键 {0} 之前已用于别的请求：它属于提问 {1}。";
        UseAnotherKey: "Use another key, or send the same request as before.", "请换一个键，或发送与之前相同的请求。";
        AskersCannotAnswer: "Askers cannot answer.", "提问方不能回答。";
        OnlyTheAsker: "Only the asker can do this.", "只有提问方能这样做。";
    } };
}
