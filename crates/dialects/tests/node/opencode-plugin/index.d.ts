// The declarations of @opencode-ai/plugin 1.18.33 that a plugin with a tool needs, and those of Node.
import { z } from "zod";

export type ToolContext = { sessionID: string; directory: string; worktree: string; abort: AbortSignal };
export declare function tool<Args extends z.ZodRawShape>(input: {
  description: string;
  args: Args;
  execute(args: z.infer<z.ZodObject<Args>>, context: ToolContext): Promise<string>;
}): { description: string; args: Args; execute(args: z.infer<z.ZodObject<Args>>, context: ToolContext): Promise<string> };
export declare namespace tool {
  var schema: typeof z;
}
export type Plugin = (input: { directory: string }) => Promise<{ tool?: Record<string, ReturnType<typeof tool>> }>;
