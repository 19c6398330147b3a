// The host of the page: JSON-RPC over postMessage, as MCP Apps has it (SEP-1865, revision 2026-01-26).

/** The revision that the page speaks. */
const REVISION = "2026-01-26";
const METHOD_NOT_FOUND = -32601;

/** An object of the protocol. */
export type Members = Record<string, unknown>;

/** What the host tells of itself. */
export interface HostContext {
  theme?: "light" | "dark";
  locale?: string;
}

/** Result of a tool. */
export interface ToolResult {
  isError?: boolean;
  structuredContent?: Members;
  _meta?: Members;
}

/** What the host sends by itself. */
export interface HostListener {
  onContext(context: HostContext): void;
  onResult(result: ToolResult): void;
  onCancelled(): void;
  /** The page is about to go; the host waits a moment. */
  onTeardown(): Promise<void>;
}

interface Waiting {
  resolve(result: Members): void;
  reject(error: Error): void;
}

/** The connection to the host: the window around the page, and no other. */
export class Host {
  readonly #listener: HostListener;
  readonly #waiting = new Map<number, Waiting>();
  #capabilities: Members = {};
  #lastId = 0;
  #size = "";

  constructor(listener: HostListener) {
    this.#listener = listener;
    window.addEventListener("message", (event) => {
      if (event.source === window.parent) this.#take(event.data as Members);
    });
  }

  /** Introduces the page. */
  async connect(): Promise<void> {
    const result = await this.#request("ui/initialize", {
      protocolVersion: REVISION,
      appInfo: { name: "sayso", version: "1" },
      appCapabilities: { availableDisplayModes: ["inline"] },
    });
    this.#capabilities = (result["hostCapabilities"] ?? {}) as Members;
    this.#listener.onContext((result["hostContext"] ?? {}) as HostContext);
    this.#notify("ui/notifications/initialized", {});
    new ResizeObserver(() => this.#tellSize()).observe(document.documentElement);
  }

  /** Returns whether the host can do this: `serverTools`, `openLinks`, `message`. */
  can(capability: string): boolean {
    return this.#capabilities[capability] !== undefined;
  }

  /** Calls a tool of our server. */
  async call(name: string, args: Members): Promise<ToolResult> {
    return await this.#request("tools/call", { name, arguments: args });
  }

  /** Has the host open an address for the person. */
  async open(url: string): Promise<void> {
    await this.#request("ui/open-link", { url });
  }

  /** Says something to the agent in the person's name. */
  async say(text: string): Promise<void> {
    await this.#request("ui/message", { role: "user", content: [{ type: "text", text }] });
  }

  #tellSize(): void {
    const { width, height } = document.documentElement.getBoundingClientRect();
    const size = { width: Math.ceil(width), height: Math.ceil(height) };
    const text = JSON.stringify(size);
    if (text === this.#size) return;
    this.#size = text;
    this.#notify("ui/notifications/size-changed", size);
  }

  #request(method: string, params: Members): Promise<Members> {
    const id = ++this.#lastId;
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject });
      this.#send({ id, method, params });
    });
  }

  #notify(method: string, params: Members): void {
    this.#send({ method, params });
  }

  #send(message: Members): void {
    // A page in a sandbox does not know the origin of its host.
    window.parent.postMessage({ jsonrpc: "2.0", ...message }, "*");
  }

  #take(message: Members | null): void {
    if (message?.["jsonrpc"] !== "2.0") return;
    const { id, method, params = {}, result, error } = message;
    if (method === undefined) return this.#settle(id, result as Members, error as Members | undefined);
    if (id !== undefined) return void this.#answer(id, method);
    if (method === "ui/notifications/tool-result") this.#listener.onResult(params as ToolResult);
    if (method === "ui/notifications/tool-cancelled") this.#listener.onCancelled();
    if (method === "ui/notifications/host-context-changed") this.#listener.onContext(params as HostContext);
  }

  #settle(id: unknown, result: Members, error: Members | undefined): void {
    const waiting = this.#waiting.get(id as number);
    this.#waiting.delete(id as number);
    if (error === undefined) waiting?.resolve(result);
    else waiting?.reject(new Error(String(error["message"])));
  }

  async #answer(id: unknown, method: unknown): Promise<void> {
    if (method === "ui/resource-teardown") await this.#listener.onTeardown();
    if (method === "ping" || method === "ui/resource-teardown") this.#send({ id, result: {} });
    else this.#send({ id, error: { code: METHOD_NOT_FOUND, message: `Method not found: ${String(method)}` } });
  }
}
