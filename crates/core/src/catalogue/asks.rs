// Lifecycle of an ask: actions, and the reasons why one is no longer possible.
macro_rules! asks {
    ([$($next:ident)*] $($before:tt)*) => { gather! { [$($next)*] $($before)*
        SaidByScript: "scripted", "由程序给出";
        SaidByRelay: "relayed", "由程序转达";
        SaidByToken: "token", "凭令牌";
        SaidInBrowser: "browser session", "浏览器会话";
        SaidAtTerminal: "terminal", "终端";
        AskNotFound: "There is no ask {0} at this desk.", "此服务台没有提问 {0}。";
        AskDamaged: "The ask {0} is damaged: what is stored of it is not what was written.", "提问 {0} 已损坏：存下的内容与写入的不同。";
        RowDamaged: "damaged: sayso desk check says more", "已损坏：sayso desk check 可查看详情";
        RowDamagedHint: "Nothing of it is shown as if it were true; everything else goes on. `sayso desk check` lists all damage, and `sayso desk restore FILE` brings a backup back.", "损坏的内容不会被当作真实内容显示，其余一切照常。`sayso desk check` 列出全部损坏，`sayso desk restore FILE` 恢复备份。";
        KeyDamaged: "What is stored under the key {0} is damaged: it is not what was written.", "键 {0} 下存放的内容已损坏：与写入的不同。";
        ThreadDamaged: "The thread {0} is damaged: what is stored of it is not what was written.", "会话 {0} 已损坏：存下的内容与写入的不同。";
        SeeList: "See them with: sayso list --state all", "查看全部：sayso list --state all";
        AnsweredLongAgo: "The ask {0} was answered at {1}; what is so old is not kept.", "提问 {0} 已于 {1} 得到回答；这么久以前的内容不再保留。";
        DeclinedLongAgo: "The ask {0} was declined at {1}; what is so old is not kept.", "提问 {0} 已于 {1} 被拒绝；这么久以前的内容不再保留。";
        CancelledLongAgo: "The ask {0} was taken back at {1}; what is so old is not kept.", "提问 {0} 已于 {1} 被撤回；这么久以前的内容不再保留。";
        ExpiredLongAgo: "The ask {0} ended without an answer at {1}; what is so old is not kept.", "提问 {0} 已于 {1} 无答案结束；这么久以前的内容不再保留。";
        AmbiguousId: "{0} fits several asks: {1}.", "{0} 对应多个提问：{1}。";
        AskAnswered: "{0} answered this first, at {1}.", "{0} 已于 {1} 先作了回答。";
        AskDeclined: "{0} declined this first, at {1}.", "{0} 已于 {1} 先拒绝了。";
        AskCancelled: "The asker took this question back.", "提问方已撤回此问题。";
        AskExpired: "The deadline of this question has passed.", "此问题的截止时间已过。";
        AskSubmitted: "An answer has been submitted and waits for the asker's verdict.", "答案已提交，正等待提问方的裁定。";
        AskOpen: "This question is still open.", "此问题仍待回答。";
        AskChanged: "The question is no longer the one that was shown.", "问题已与先前显示的不同。";
        ShowAgain: "Open it again: sayso answer {0}", "请重新打开：sayso answer {0}";
        TextKeptAt: "Whatever you typed is kept: sayso show {0} prints it.", "您输入的内容都已保留，可用 sayso show {0} 查看。";
        TextKept: "Whatever you typed is kept: sayso show prints it.", "您输入的内容都已保留，可用 sayso show 查看。";
        TooManyKept: "The asks of this account take {0} MiB at this desk, of {1} MiB that they may take.", "此账户的提问在此服务台已占用 {0} MiB，上限为 {1} MiB。";
        KeptUntil: "Make the request shorter, or wait: the oldest ask of it that has ended is deleted at {0}.", "请缩短请求，或等待：其最早结束的提问将于 {0} 删除。";
        KeptWhileOpen: "Cancel asks that are no longer needed; none of them has ended.", "请取消不再需要的提问；目前没有已结束的提问。";
        TooManyAsked: "This account has asked {0} times within an hour, which is its limit.", "此账户一小时内已提问 {0} 次，达到上限。";
        AskedAgainFrom: "It may ask again from {0} on.", "自 {0} 起可再次提问。";
        TooManyOpen: "This account has {0} open asks already.", "此账户已有 {0} 个待答提问。";
        ReplySavedSince: "Somebody else saved this question since.", "此问题之后已被他人保存。";
        DraftChanged: "Somebody else saved {0} of these questions since, so nothing was saved.", "其中 {0} 个问题之后已被他人保存，因此未保存任何内容。";
        DraftChangedHint: "Read the draft again, and save with its revision.", "请重新读取草稿，并以其版本号保存。";
        WrongRound: "Round {0} waits for a verdict, not round {1}.", "等待裁定的是第 {0} 轮，不是第 {1} 轮。";
        KeyReused: "The key {0} was used for something else before.", "键 {0} 之前已用于别的请求。";
        KeyOfAsk: "The key {0} was used for something else before: it belongs to the ask {1}.", "键 {0} 之前已用于别的请求：它属于提问 {1}。";
        UseAnotherKey: "Use another key, or the same request as before.", "请换一个键，或发送与之前相同的请求。";
        AskersCannotAnswer: "Whoever asks cannot answer.", "提问方不能回答。";
        OnlyTheAsker: "Only the asker can do this.", "只有提问方能这样做。";
    } };
}
