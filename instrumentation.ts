/** Next calls this once per server process. It holds nothing but the import: Next also compiles it for the Edge runtime. */
export async function register(): Promise<void> {
  if (process.env.NEXT_RUNTIME === "nodejs") await import("./lib/instrumentation-node");
}
