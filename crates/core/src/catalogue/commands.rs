// Settings, files, and what commands print.
macro_rules! commands {
    ([$($next:ident)*] $($before:tt)*) => { gather! { [$($next)*] $($before)*
        AuqSetting: "compat is spec or 3.4, max_questions 1 to {0}, max_options 2 to {0}", "compat 为 spec 或 3.4，max_questions 为 1 到 {0}，max_options 为 2 到 {0}";

        InvalidSetting: "The setting {0} from {1} is not valid: {2}", "设置 {0}（来自 {1}）无效：{2}";
        LanguageUnknown: "there is no language {0}; use en or zh", "没有语言 {0}；请用 en 或 zh";
        NoDuration: "{0} is no length of time; write 90s, 2h or 3 days.", "{0} 不是时长；请写 90s、2h 或 3 days。";
        AskInWords: "To ask just that: sayso ask {0}", "若要直接这样提问：sayso ask {0}";
        UnreadableFile: "{0} cannot be read: {1}", "无法读取 {0}：{1}";
        NoTerminal: "Answering needs a terminal, and there is none.", "回答需要终端，而当前没有终端。";
        NoTerminalHint: "Open one and run: sayso answer {0}", "请打开终端并运行：sayso answer {0}";
        AgentShell: "This shell belongs to an agent ({0}), and an agent must not answer for a person.", "此 shell 属于智能体（{0}），智能体不得代人回答。";
        AgentShellHint: "Answer in a terminal of your own: sayso answer {0}", "请在您自己的终端中回答：sayso answer {0}";
        ScriptedOff: "Answers given as an argument are off.", "以参数给出答案的功能未开启。";
        ScriptedOffHint: "A person can allow them with scripted_answers = true in {0}.", "可在 {0} 中设置 scripted_answers = true 来允许。";

        LimitStands: "This was asked before with another time limit, which stands.", "此问题先前已用其他时限提出，以先前的时限为准。";
        NotAcknowledged: "The answer above is complete, but the desk could not note that it was delivered: {0}", "以上答案完整，但服务台未能记录已送达：{0}";
        WaitingAtDesk: "The question waits at the desk. To answer it in another terminal: sayso answer {0}", "问题已在服务台等待。可在另一终端回答：sayso answer {0}";
        StopWaiting: "Ctrl-C only stops waiting. To go on: the same command, or sayso wait {0}", "按 Ctrl-C 只停止等待。要继续：再运行同一命令，或 sayso wait {0}";
        CancelledNow: "{0} is cancelled; its asker is told.", "{0} 已撤回，并已告知提问方。";
        NothingWaits: "Nothing waits for an answer.", "没有等待回答的问题。";
        NothingThere: "No ask fits. Past ones are found with --state all.", "没有符合的提问。可用 --state all 查找过去的提问。";
        NoSuchPlace: "{0} is no place in a list.", "{0} 不是列表中的位置。";
        MoreRows: "There is more: --after {0}", "还有更多：--after {0}";
        AnswerOne: "Answer one with: sayso answer ID", "回答其中一个：sayso answer ID";
        TryAsking: "An agent asks with: sayso ask FILE (see sayso --help)", "智能体这样提问：sayso ask FILE（见 sayso --help）";
        AskerGone: "nobody waits", "无人等待";
        ExpiresIn: "expires in {0}", "{0} 后过期";
        AskedBy: "Asked by {0} in {1}, {2} ago. {3}", "{0} 在 {1} 提问，{2} 前。{3}";
        AskedByNowhere: "Asked by {0}, {1} ago. {2}", "{0} 提问，{1} 前。{2}";
        StillOpen: "open", "待答";
        IsSubmitted: "submitted", "已提交";
        IsAnswered: "answered", "已回答";
        IsDeclined: "declined", "已拒绝";
        IsCancelled: "cancelled", "已撤回";
        IsExpired: "expired", "已过期";
        NotSentDraft: "(draft, not sent) {0}", "（草稿，未发送）{0}";
        CameTooLate: "{0} came too late · {1} · {2}", "{0} 晚了一步 · {1} · {2}";
        InDraft: "  (draft)", "  （草稿）";
        WasNotAsked: "not asked", "未询问";
        NoAnswer: "no answer", "未回答";
        NoSchema: "There is no schema `{0}`.", "没有模式 `{0}`。";
        SchemasThereAre: "`sayso schema` lists all there are.", "`sayso schema` 会列出现有的全部模式。";
        CheckAnswersOk: "Valid answers in {0}. The asker would get:", "有效的 {0} 答案。提问方将收到：";
        CheckAnswersProblems: "Not valid answers in {0}: {1} problem(s).", "无效的 {0} 答案：{1} 处问题。";
        CheckOk: "Valid {0}.", "有效的 {0}。";
        CheckProblems: "Not valid {0}: {1} problem(s).", "无效的 {0}：{1} 处问题。";
        TokenKnown: "The token for the role {0} is known there as {1}; sayso {2} runs there.", "角色 {0} 的令牌在那里属于 {1}；那里运行着 sayso {2}。";
        EventsHeard: "It tells at once what happens there.", "那里发生的事会立即得知。";
        DeskWorks: "The desk works; {0} waiting.", "服务台正常；{0} 个待答。";
        BellHeard: "Waiting programs are woken by the bell.", "等待中的程序由铃声唤醒。";
        BellUnheard: "The bell cannot be heard (the system's limit of file watches is reached, or it has none): waiting programs look every 20 ms.", "听不到铃声（达到系统的文件监视上限，或系统不支持）：等待中的程序每 20 毫秒查看一次。";
        ShellOfAgent: "This shell belongs to an agent ({0}): asks made here wait at the desk, and nothing here answers them.", "此 shell 属于智能体（{0}）：在此提出的问题会在服务台等待，不会在此被回答。";
        ShellOfPerson: "This shell belongs to a person: asks made at this terminal are asked right here.", "此 shell 属于人：在此终端提出的问题会就地询问。";
        DataUnwritten: "sayso: Standard output cannot be written.", "sayso: 无法写入标准输出。";
        TokenStateRevoked: "revoked", "已撤销";
        TokenStateValid: "valid", "有效";
        TokenStateExpired: "expired", "已过期";
        ByDefault: "default", "默认";
        NotSet: "not set", "未设置";
        AsTheTerminal: "as the terminal", "随终端";
        SettingsThere: "there", "存在";
        SettingsAbsent: "not there", "不存在";
    } };
}
