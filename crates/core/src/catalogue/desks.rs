// Desks, here and on the network, and the tokens for them.
macro_rules! desks {
    ([$($next:ident)*] $($before:tt)*) => { gather! { [$($next)*] $($before)*
        DeskCrowded: "The desk has {0} open asks, which is its limit.", "服务台已有 {0} 个待答提问，达到上限。";
        DeskUnsupported: "There is no desk of this kind yet: {0}", "尚不支持这种服务台：{0}";
        DeskKinds: "Use sqlite:PATH or https://…, or leave it out for your own desk.", "请使用 sqlite:PATH 或 https://…，或省略以使用您自己的服务台。";
        DeskNotOurs: "{0} is not a Sayso desk.", "{0} 不是 Sayso 服务台。";
        DeskNotOursHint: "It was left as it is. Name another file with --desk sqlite:PATH.", "文件未被改动。请用 --desk sqlite:PATH 指定其他文件。";
        DeskTooNew: "{0} was written by a newer Sayso (format {1}; this one reads up to {2}).", "{0} 由更新版本的 Sayso 写入（格式 {1}，本程序最多读取 {2}）。";
        DeskTooNewHint: "Update sayso. The desk was left as it is.", "请更新 sayso。服务台未被改动。";
        DeskUnreachable: "The desk {0} cannot be opened: {1}", "无法打开服务台 {0}：{1}";
        DeskUnreachableHint: "The folder and the file must be writable by you. Name another with --desk sqlite:PATH.", "文件夹和文件须对您可写。可用 --desk sqlite:PATH 指定其他位置。";
        RemoteUnreachable: "The desk {0} cannot be reached: {1}", "无法连接服务台 {0}：{1}";
        RemoteHint: "Does sayso serve run there, and is this its address? sayso doctor tells what this program uses.", "那里是否运行着 sayso serve？地址是否正确？sayso doctor 会显示本程序的设置。";
        DeskMoved: "{0} sends this program elsewhere, to {1}. It does not take its token there.", "{0} 要求本程序转到 {1}，但本程序不会把令牌带到那里。";
        DeskMovedHint: "Name the desk by its own address.", "请使用服务台自己的地址。";
        OnlyWhereItLies: "{0} is reached over the network, and this is done where the desk lies.", "{0} 须经网络访问，而此操作须在服务台所在处进行。";
        OnlyWhereItLiesHint: "Run it there, or name a desk of this machine with --desk sqlite:PATH.", "请在那里运行，或用 --desk sqlite:PATH 指定本机的服务台。";
        RemoteAddressHint: "Use https://HOST, with a path where the desk has one.", "请使用 https://主机，如有路径可一并写上。";
        InsecureAddress: "{0} would show what is asked and answered to everybody on the way.", "{0} 会让途中的任何人看到提问与回答。";
        InsecureAddressHint: "Use https://… for a desk on another machine; http:// is for this machine alone.", "其他机器上的服务台请使用 https://…；http:// 仅限本机。";
        SecretInAddress: "The address of a desk names no user and no secret.", "服务台地址中不能包含用户名或密钥。";
        TokenFileHint: "A token stands in a file that SAYSO_TOKEN_FILE names, or token_file in your settings: either alone, or as Authorization: Bearer TOKEN.", "令牌应放在 SAYSO_TOKEN_FILE 或设置项 token_file 指定的文件中：可单独成行，或写作 Authorization: Bearer 令牌。";
        NoTokenInFile: "There is no token in {0}.", "{0} 中没有令牌。";
        NoToken: "There is no token here for the role {0}.", "此处没有角色 {0} 的令牌。";
        NoTokenHint: "Have one made where the desk lies: sayso token new --role {0}. Then name its file in SAYSO_TOKEN_FILE, or as token_file in your settings.", "请在服务台所在处生成：sayso token new --role {0}，然后用 SAYSO_TOKEN_FILE 或设置项 token_file 指定该文件。";
        DeskReadOnly: "The desk cannot be written: {0}.", "服务台不可写：{0}。";
        DeskFull: "The disk is full: nothing was stored just now. What was stored before is safe.", "磁盘已满：刚才的内容未存入，之前存入的内容安全。";
        DeskFullHint: "Make room and do the same again; with the same key nothing happens twice.", "请腾出空间后重试；使用相同的键不会重复执行。";
        DeskBusy: "Other processes held the desk for more than {0} seconds.", "其他进程占用服务台超过 {0} 秒。";
        DeskBusyHint: "Do the same again; with the same key nothing happens twice.", "请重试；使用相同的键不会重复执行。";
        DeskFailed: "The desk failed: {0}", "服务台出错：{0}";
        DiskFailed: "The disk did not confirm a write. This program ends, so that nothing is called stored that is not. What was confirmed before is safe; the same request with the same key is safe to repeat.", "磁盘未确认写入。程序就此结束，以免把未存入的内容当作已存入。此前已确认的内容是安全的；用相同的键重复同一请求是安全的。";
        DeskFailedHint: "It may or may not have been stored. The same request with the same key is safe to repeat.", "内容可能已存入，也可能没有。用相同的键重复同一请求是安全的。";

        TokenUnknown: "This token opens nothing here: it was revoked, has expired, or belongs to another desk.", "此令牌在此无效：已撤销、已过期，或属于其他服务台。";
        TokenBroken: "This is no whole token: a character of it is wrong or missing.", "令牌不完整：有字符错误或缺失。";
        TokenAnew: "Whoever runs the desk can make a new one: sayso token new", "服务台的管理者可以新建令牌：sayso token new";
        TokenLife: "A token lasts at least a moment and at most {0} days; without a time it lasts until it is revoked.", "令牌的有效期须大于零且不超过 {0} 天；不设期限则在撤销前一直有效。";
        TokensFull: "The desk has {0} valid tokens, which is its limit.", "服务台已有 {0} 个有效令牌，达到上限。";
        TokensFullHint: "Revoke one that is no longer needed: sayso token revoke ID", "请撤销不再需要的令牌：sayso token revoke ID";
        NoSuchToken: "There is no token {0} at this desk.", "此服务台没有令牌 {0}。";
        TokenNotId: "This is a token itself; it is revoked by its id.", "这是令牌本身；请用其标识撤销。";
        SeeTokens: "See the ids with: sayso token list", "查看标识：sayso token list";
        AccountLength: "The name of an account has 1 to {0} characters.", "账户名称须为 1 到 {0} 个字符。";
        AccountUnclear: "The name of an account neither begins nor ends with a space, and has no characters that cannot be seen.", "账户名称首尾不能有空格，也不能含有不可见字符。";
        AgentToken: "This shell belongs to an agent ({0}), and an agent must not make a token that answers for a person.", "此 shell 属于智能体（{0}），智能体不得创建可代人回答的令牌。";
        AgentTokenHint: "Make it in a terminal of your own: sayso token new --role {0} --account NAME", "请在您自己的终端中创建：sayso token new --role {0} --account NAME";
        TokenShownOnce: "The token {0}, {1}, of {2}. It is shown this once; the desk keeps only its hash.", "令牌 {0}（{1}），账户 {2}。仅显示这一次；服务台只保存其哈希值。";
        TokenHowTo: "Whoever has it acts as {1}. With --out FILE it goes to a file that only you can read, for SAYSO_TOKEN_FILE and curl -H @FILE. To take it back: sayso token revoke {0}", "持有者即以 {1} 的身份行事。用 --out FILE 可写入仅您可读的文件，供 SAYSO_TOKEN_FILE 和 curl -H @FILE 使用。撤销：sayso token revoke {0}";
        TokenInFile: "The token {0}, {1}, of {2} is in {3}: for SAYSO_TOKEN_FILE={3}, or curl -H @{3}. To take it back: sayso token revoke {0}", "令牌 {0}（{1}），账户 {2}，已写入 {3}：可用于 SAYSO_TOKEN_FILE={3} 或 curl -H @{3}。撤销：sayso token revoke {0}";
        TokenRevoked: "The token {0} of {1} is revoked; it opens nothing any more.", "账户 {1} 的令牌 {0} 已撤销，不再有效。";
        NoTokens: "There are no tokens.", "没有令牌。";
        FileThere: "{0} is there already, so no token was made.", "{0} 已存在，因此未创建令牌。";
        FileThereHint: "A token is never written over anything: name a new file.", "令牌不会覆盖任何内容：请指定新文件。";
        FileUnwritable: "{0} cannot be written, so no token was made: {1}", "无法写入 {0}，因此未创建令牌：{1}";
    } };
}
