declare module "node:child_process" {
  type Output = { on(event: "data", listener: (bytes: Uint8Array) => void): void };
  type Options = { cwd: string; stdio: ["pipe", "pipe", "pipe"]; signal?: AbortSignal | undefined };
  export function spawn(program: string, line: string[], options: Options): {
    stdout: Output;
    stderr: Output;
    stdin: { on(event: "error", listener: () => void): void; end(text: string): void };
    on(event: "error", listener: (error: Error) => void): void;
    on(event: "close", listener: () => void): void;
  };
}
declare const process: { env: Record<string, string | undefined> };
