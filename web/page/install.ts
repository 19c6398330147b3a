interface PolicyFactory {
  createPolicy(name: string, rules: { createScriptURL(): string }): { createScriptURL(url: string): unknown };
}

/** Registers the worker that lets the page be installed and opened without a connection. */
export function registerWorker(): void {
  if (!("serviceWorker" in navigator)) return;
  const address = "/worker.js";
  const factory = (window as { trustedTypes?: PolicyFactory }).trustedTypes;
  // The only policy that the page's Content-Security-Policy allows; it returns this one address, whatever it is given.
  const policy = factory?.createPolicy("sayso-worker", { createScriptURL: () => address });
  const script = (policy ? policy.createScriptURL(address) : address) as string;
  // Without a worker the page only cannot be installed.
  void navigator.serviceWorker.register(script).catch(() => undefined);
}
