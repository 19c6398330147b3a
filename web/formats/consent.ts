// Made by `cargo xtask codegen` from sayso-core.

/** Words that agree, in lower case. */
export const agreeing: readonly string[] = ["continue", "approve", "approved", "accept", "accepted", "allow", "allowed", "agree", "agreed", "confirm", "confirmed", "proceed", "go", "go ahead", "yes", "y", "yes please", "ok", "okay", "true", "继续", "批准", "同意", "允许", "确认", "接受", "确定", "通过", "可以", "好", "好的", "是", "是的", "对"];
/** Words that refuse, in lower case. */
export const refusing: readonly string[] = ["cancel", "cancelled", "canceled", "reject", "rejected", "deny", "denied", "decline", "declined", "refuse", "refused", "disagree", "disallow", "abort", "aborted", "stop", "no", "n", "no thanks", "don't", "do not", "never", "false", "取消", "拒绝", "否决", "否", "不", "不是", "不要", "不同意", "不批准", "不允许", "不接受", "不可以", "停止", "中止", "终止", "放弃", "不行"];
