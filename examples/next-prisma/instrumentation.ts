/** A worker in the web process. `npx handrail worker` is one by itself. */
export async function register() {
  if (process.env.NEXT_RUNTIME !== "nodejs") return;
  const { handrail } = await import("./src/handrail");
  await handrail.worker().start();
  process.once("SIGTERM", () => handrail.close());
}
