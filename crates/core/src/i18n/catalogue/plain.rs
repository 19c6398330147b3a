// The pages without JavaScript.
macro_rules! plain {
    ([$($next:ident)*] $($before:tt)*) => { gather! { [$($next)*] $($before)*
        PlainOff: "The pages without JavaScript are closed here.", "此处未开放无需 JavaScript 的页面。";
        PlainOffHint: "A cookie alone signs in on them, and programs on other ports of the same host get it, too. So they need a host name over TLS, or the setting plain_pages of `sayso serve`.", "这些页面仅凭 Cookie 登录，而同一主机其他端口上的程序也会收到它。因此需要 TLS 主机名，或 `sayso serve` 的 plain_pages 设置。";
        PlainSignInHow: "Enter the code that sayso serve shows in its terminal, or a person's access token.", "请输入 sayso serve 在终端中显示的代码，或人员的访问令牌。";
        PlainToken: "Or an access token", "或访问令牌";
        PlainSecretWrong: "This code or token signs no one in.", "此代码或令牌无法登录。";
        PlainSignedOut: "You are signed out. What you typed is kept on this page: sign in to go on.", "您已退出登录。您输入的内容保留在此页面，登录后即可继续。";
        PlainTypedHere: "You are signed in again. What you typed before is in the form: save it to keep it.", "您已重新登录。之前输入的内容在表单中，请保存。";
        PlainOpen: "Answer without JavaScript", "不使用 JavaScript 回答";
        PlainGoOn: "Go on", "继续";
        PlainReload: "This page does not change by itself. Reload it to see new questions.", "此页面不会自动更新，请重新加载以查看新的提问。";
        PlainSave: "Save", "保存";
        PlainSaved: "Saved. Nothing is sent before you say so.", "已保存。您确认之前不会提交。";
        PlainFormUsed: "This form was used before or belongs to another sign-in, so nothing was done. Below is what is valid now.", "此表单已使用过，或属于另一次登录，因此未执行任何操作。以下为当前有效的内容。";
        PlainChanged: "The answers were changed in the meantime, so nothing was sent. Check them again.", "答案在此期间已更改，因此未提交。请再次核对。";
        PlainNotSaved: "Not saved: somebody answered the same question in the meantime. What you typed is still in the form; save again to keep it.", "未保存：有人在此期间回答了同一题。您输入的内容仍在表单中；再次保存即可保留。";
        PlainTheirs: "Saved there is now:", "该处现已保存：";
        PlainNoAnswer: "No answer", "不回答";
        PlainMoreAsked: "Your answers ask {0} more {0:question|questions}.", "根据您的答案，新增 {0} 道题。";
        PlainConditional: "Further questions depend on your answers. They appear once you continue.", "后续问题取决于您的答案，继续后会显示。";
        PlainSectionOptional: "You may leave this section empty.", "此部分可留空。";
    } };
}
