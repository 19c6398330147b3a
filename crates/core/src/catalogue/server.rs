// What the server says over HTTP and MCP, and on its page.
macro_rules! server {
    ([$($next:ident)*] $($before:tt)*) => { gather! { [$($next)*] $($before)*
        EndlessLine: "A line on standard input is longer than {0} MiB and no request: nothing more is read.", "标准输入的一行超过 {0} MiB 且不是请求：不再读取。";
        McpFailed: "The MCP server could not go on: {0}.", "MCP 服务器无法继续：{0}。";
        McpByHand: "This is for an agent's program, which starts it by itself: nothing is typed here, and Ctrl-C ends it. To add it: claude mcp add sayso -- sayso mcp", "此命令供智能体的程序自行启动：无需在此输入，按 Ctrl-C 结束。添加方法：claude mcp add sayso -- sayso mcp";

        TokenMissing: "This needs a token: send it as \"Authorization: Bearer …\".", "此操作需要令牌：请以“Authorization: Bearer …”发送。";
        NameDialect: "Say which in the member \"dialect\".", "请用成员 \"dialect\" 指明。";
        MediaTypeHint: "Send the header \"content-type: {0}\".", "请发送标头“content-type: {0}”。";
        WholeNumber: "It is a whole number from {0} to {1}.", "应为 {0} 到 {1} 的整数。";
        OneOf: "It is one of: {0}.", "应为以下之一：{0}。";
        SiteUnknown: "Pages of another site may not ask here.", "其他网站的页面不得在此请求。";
        OriginUnknownHint: "sayso serve --allow-origin lets pages of another site ask.", "sayso serve --allow-origin 可允许其他网站的页面。";
        PathUnreadable: "A part of this path is no text once its percent signs are read.", "此路径中有部分按百分号解码后不是文本。";
        HostsDiffer: "The request names two servers.", "请求中给出了两个服务器名称。";
        OnlyAdmins: "Only an admin may do this.", "只有管理员可以执行此操作。";
        OnlyAdminsVouch: "Only an admin may speak for somebody else.", "只有管理员可以代表他人。";
        OnlyAskersAsk: "A person answers; asking needs an asker's token.", "人用令牌回答；提问需要提问方的令牌。";
        TooManyRequests: "Too many requests; try again in {0} s.", "请求过多，请在 {0} 秒后重试。";
        HostUnknown: "This server is not called {0}.", "此服务器的名称不是 {0}。";
        HostUnknownHint: "sayso serve --allow-host tells it another name.", "sayso serve --allow-host 可为其添加名称。";
        OriginUnknown: "Pages of {0} may not ask here.", "{0} 的页面不得在此请求。";
        HeaderUnreadable: "The header {0} is missing, there twice, or cannot be read.", "标头 {0} 缺失、重复或无法读取。";
        MediaTypeWrong: "This reads {0}, and got {1}.", "此处读取 {0}，但收到 {1}。";
        QueryUnreadable: "The query cannot be read: {0}", "无法读取查询：{0}";
        BodyCutOff: "The body of the request did not come whole.", "请求正文不完整。";
        NoSuchRoute: "Nothing is served under this path.", "此路径下没有内容。";
        SeeDocs: "/docs lists what there is.", "/docs 列出所有内容。";
        SeeAskList: "GET /v1/asks lists what there is.", "GET /v1/asks 列出所有提问。";
        MethodNotAllowed: "This path does not know this method.", "此路径不支持此方法。";
        DeskClosing: "The server is going down. Nothing is lost; come back in a moment.", "服务器即将关闭。内容不会丢失，请稍后再试。";
        CannotListen: "{0} cannot be listened on: {1}", "无法监听 {0}：{1}";
        ServedUntil: "Ctrl-C ends the server; what waits stays at the desk.", "按 Ctrl-C 结束服务器；等待中的提问会留在服务台。";
        ServedInTheClear: "Tokens and answers cross the network as they are: put a proxy with TLS before this address.", "令牌和答案将在网络上明文传输：请在此地址前设置 TLS 代理。";
        HostMisnamed: "{0} is no name of a server.", "{0} 不是服务器名称。";
        HostMisnamedHint: "Give the name that clients call, with its port where it is not the usual one: desk.example.com", "请填写客户端使用的名称，端口非默认时一并写上：desk.example.com";
        OriginMisnamed: "{0} is no origin of pages.", "{0} 不是网页来源。";
        OriginMisnamedHint: "Give scheme and name, without a path: https://chat.example.com", "请填写协议和名称，不含路径：https://chat.example.com";
        NoTokensYet: "No program may come in yet. Make a token: sayso token new --role asker --account NAME --out FILE", "目前没有程序可以访问。请创建令牌：sayso token new --role asker --account NAME --out FILE";
        ServeFailed: "The server cannot run: {0}", "服务器无法运行：{0}";
        NeedsMember: "{0} is missing.", "缺少 {0}。";
        OneOfTwo: "Either {0} or {1}, not both.", "{0} 与 {1} 只能二选一。";
        NoSuchValue: "{0} cannot be {1}.", "{0} 不能为 {1}。";
        TurnOver: "This turn has ended, or is with another process of its agent.", "此轮次已结束，或已由该智能体的另一进程接手。";
        TurnOverHint: "Take the next one: POST /v1/threads/next.", "请接手下一轮次：POST /v1/threads/next。";
        TurnFull: "A turn may publish {0} bytes.", "一个轮次最多发布 {0} 字节。";
        ThreadsFull: "This account has {0} threads already.", "此账户已有 {0} 个会话。";
        TurnsFull: "{0} messages of this thread wait already.", "此会话已有 {0} 条消息在等待。";

        LoginCodeWrong: "This code opens nothing: it is mistyped, was used before, or is older than {0} minutes.", "此代码无效：输入有误、已使用过，或已超过 {0} 分钟。";
        LoginCodeAnew: "Once a code was used or its time is over, sayso serve shows a new one in its terminal, if it was started in one.", "代码已用或过期后，若 sayso serve 是在终端中启动的，便会在其中显示新代码。";
        LoginHere: "In a browser: {0}/login lets one in as {2} with the code {1}, once and within {3} minutes.", "在浏览器中：打开 {0}/login，用代码 {1} 以 {2} 的身份登录，仅一次，{3} 分钟内有效。";
        SessionOver: "This browser is not signed in any more: open /login.", "此浏览器已退出登录：请打开 /login。";
        SessionNone: "This was no browser that signed in; a token is revoked instead.", "这不是已登录的浏览器；令牌应通过撤销来停用。";
        SessionPagesOnly: "A browser that is signed in may do this from a page of this server alone.", "已登录的浏览器只能从此服务器自己的页面执行此操作。";
        PageSignIn: "Sign in", "登录";
        PageCodeAsk: "Type the code that sayso serve shows in its terminal.", "请输入 sayso serve 在终端中显示的代码。";
        PageCode: "Code", "代码";
        PageSignOut: "Sign out", "退出登录";
        PageSignedIn: "You are signed in as", "您的登录身份：";
        PageWaiting: "What waits for an answer", "等待回答的问题";
        PageNothing: "Nothing waits.", "没有等待回答的问题。";
        PageMore: "There are more.", "还有更多。";
        PageHowTo: "Answer in a terminal: sayso answer", "请在终端中回答：sayso answer";
        PageBroken: "The desk cannot be reached. This page tries again by itself.", "无法连接到服务台。此页面会自动重试。";
        LoginCodesMany: "There are {0} codes that nobody has used yet.", "已有 {0} 个尚未使用的代码。";
    } };
}
