/** Next calls this once per server process. It holds nothing but imports: Next also compiles it for the Edge runtime. */
export async function register(): Promise<void> {
  if (process.env.NEXT_RUNTIME === "nodejs") {
    const { startWebProcess } = await import("./lib/instrumentation-node");
    const { loadApp } = await import("./load-app");
    startWebProcess(await loadApp());
  }
}
