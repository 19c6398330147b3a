// Agents' own programs: their prompts at the desk, and setup.
macro_rules! hosts {
    ([$($next:ident)*] $($before:tt)*) => { gather! { [$($next)*] $($before)*
        SetupNothingFound: "No agent's program was found on this machine.", "在本机上没有找到智能体的程序。";
        SetupNames: "Name one: {0}", "请指定一个：{0}";
        SetupNothingToUndo: "{0} has nothing of Sayso to remove.", "{0} 中没有可移除的 Sayso 内容。";
        SetupUpToDate: "{0} is connected, and up to date.", "{0} 已接入，且是最新的。";
        SetupMissing: "{0} is not connected: {1} does not exist.", "{0} 尚未接入：{1} 不存在。";
        SetupOutdated: "{0} is not connected, or not as this version does it: {1}", "{0} 尚未接入，或与本版本的做法不同：{1}";
        SetupNeedsYes: "Nothing was written. Run it in a terminal, or with --yes.", "未写入任何内容。请在终端中运行，或加上 --yes。";
        SetupConfirm: "Write these changes for {0}?", "为 {0} 写入这些更改吗？";
        SetupConfirmUndo: "Take Sayso out of these files of {0}?", "要从 {0} 的这些文件中移除 Sayso 吗？";
        SetupChangedMeanwhile: "{0} has changed meanwhile, so nothing was written to it. These are the changes now:", "{0} 在此期间已更改，因此没有写入它。现在的更改如下：";
        SetupFileNew: "new", "新文件";
        SetupFileRemoved: "removed", "移除";
        SetupWayBack: "sayso setup {0} --undo brings the files back.", "sayso setup {0} --undo 可恢复这些文件。";
        SetupNotOnPath: "{0} ({1}) is not found on the PATH.", "在 PATH 中找不到 {0}（{1}）。";
        SetupSwitchedOff: "{0} does not ask at the desk: {1} in {2} prevents it.", "{0} 不会在服务台提问：{2} 中的 {1} 阻止了它。";
        SetupNoPrompts: "In the mode \"{0}\" Claude Code asks no one for permission; only its questions reach the desk. To be asked, set permissions.defaultMode to \"default\" in {1}.", "在“{0}”模式下，Claude Code 不向任何人请求许可，只有它的问题会到达服务台。要收到请求，请在 {1} 中把 permissions.defaultMode 设为 \"default\"。";
        SetupNothingWritten: "Nothing was written.", "未写入任何内容。";
        SetupUndone: "The files of {0} are restored.", "{0} 的文件已恢复。";
        SetupDone: "{0} is connected. It takes effect when the program starts again.", "{0} 已接入。程序重新启动后生效。";
        SetupTrustHooks: "Codex runs new hooks only after you have reviewed them: type /hooks in Codex.", "Codex 只在您审核之后才运行新的钩子：请在 Codex 中输入 /hooks。";
        SetupUnwritable: "{0} cannot be written: {1}", "无法写入 {0}：{1}";
    } };
}
