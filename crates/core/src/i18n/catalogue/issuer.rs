// Messages of the sign-in at an OpenID Connect issuer.
macro_rules! issuer {
    ([$($next:ident)*] $($before:tt)*) => { gather! { [$($next)*] $($before)*
        IssuerLacks: "[server.oidc] lacks {0}.", "[server.oidc] 缺少 {0}。";
        IssuerTableWrong: "[server.oidc] is invalid: {0}", "[server.oidc] 无效：{0}";
        IssuerAdmitsNone: "[server.oidc] names no one who may sign in.", "[server.oidc] 未指明谁可以登录。";
        IssuerAdmitsNoneHint: "Add at least one of groups, accounts and domains.", "请至少添加 groups、accounts、domains 之一。";
        IssuerAddressWrong: "{0} cannot be an issuer.", "{0} 不能作为签发方。";
        IssuerAddressHint: "Give its https:// address without a query. Plain http:// is for localhost alone.", "请填写其 https:// 地址，不含查询部分。明文 http:// 仅可用于 localhost。";
        IssuerHoursWrong: "session_hours must be from 1 to {0}.", "session_hours 应为 1 到 {0}。";
        IssuerSecretEmpty: "{0} holds no client secret.", "{0} 中没有客户端密钥。";
        IssuerSecretHint: "The file holds the secret alone, and only its owner can read it.", "文件中应只有密钥，且只有其所有者可读。";
        IssuerSecretOpen: "Others can read {0}, which holds a client secret.", "{0} 中有客户端密钥，但其他人可以读取。";
        IssuerInTheClear: "A sign-in at an issuer would send its codes to {0} in the clear.", "通过签发方登录会以明文将代码发送到 {0}。";
        IssuerInTheClearHint: "Give the https:// address of the pages: --public-url https://desk.example.com", "请指定页面的 https:// 地址：--public-url https://desk.example.com";

        IssuerUnreachable: "Cannot reach the issuer {0}: {1}", "无法连接签发方 {0}：{1}";
        IssuerUnreachableHint: "Other ways to sign in still work. The next sign-in tries again.", "其他登录方式仍可使用。下次登录时会重试。";
        IssuerRepliesWrong: "The issuer {0} does not reply as OpenID Connect demands: {1}", "签发方 {0} 的回复不符合 OpenID Connect：{1}";
        IssuerWorks: "The issuer {0} can be reached.", "可以连接签发方 {0}。";
        IssuerAddressInsecure: "{0} is not https://.", "{0} 不是 https://。";

        IssuerOff: "This desk has no sign-in at an issuer.", "此服务台未设置通过签发方登录。";
        IssuerSignIn: "Sign in with {0}", "使用 {0} 登录";
        IssuerSignInAgain: "Begin again at /login.", "请在 /login 重新开始。";
        IssuerNotBegun: "This sign-in was not begun in this browser, was used already, or took longer than {0} minutes.", "此次登录不是在此浏览器中开始的，或已使用过，或已超过 {0} 分钟。";
        IssuerStateWrong: "The reply belongs to another sign-in: its state is not the one of this browser.", "此回复属于另一次登录：其 state 与此浏览器的不符。";
        IssuerMixedUp: "The reply comes from another issuer than the one that was asked.", "此回复来自另一个签发方，而非所请求的签发方。";
        IssuerRefused: "The issuer refused the sign-in: {0}", "签发方拒绝了此次登录：{0}";
        IssuerCodeRefused: "The issuer does not accept the code of this sign-in: {0}", "签发方不接受此次登录的代码：{0}";
        IssuerNoToken: "The issuer sent no ID token.", "签发方未发送 ID 令牌。";
        IssuerTokenExpired: "The ID token has expired.", "ID 令牌已过期。";
        IssuerTokenNonce: "The ID token belongs to another sign-in: its nonce is not the one of this browser.", "ID 令牌属于另一次登录：其 nonce 与此浏览器的不符。";
        IssuerTokenIssuer: "The ID token is of another issuer.", "ID 令牌来自另一个签发方。";
        IssuerTokenAudience: "The ID token is for another client than this desk.", "ID 令牌是给其他客户端的，而非此服务台。";
        IssuerTokenKey: "The ID token is not signed with a key of the issuer.", "ID 令牌未使用签发方的密钥签名。";
        IssuerTokenWrong: "The ID token is not valid: {0}", "ID 令牌无效：{0}";
        IssuerGroupsMany: "The issuer names more than {0} groups of this account.", "签发方为此账户列出的群组超过 {0} 个。";
        IssuerGroupsHint: "Let the issuer send fewer groups to this client.", "请让签发方向此客户端发送较少的群组。";
        IssuerNoMember: "This account may not use this desk: it is in none of the groups, accounts and domains that are let in.", "此账户不能使用此服务台：它不在允许的群组、账户或域名之中。";
        IssuerNoMemberHint: "Ask the operator of the desk to let it in, then sign in again at /login.", "请让服务台的运维人员允许此账户，然后在 /login 重新登录。";
    } };
}
