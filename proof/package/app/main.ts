import { createHandrail, isHandrailError } from "handrail";
import { createClient } from "handrail/client";
import { nextHandlers } from "handrail/next";
import config, { answered, greeting, pool } from "./workflows.js";

/** `worker`: stays. `run`: starts a run in a transaction of the app, once, and prints its output. */
const handrail = createHandrail(config);

if (process.argv[2] === "worker") {
  await handrail.worker({ concurrency: 5 }).start();
  process.once("SIGTERM", () => handrail.close().then(() => pool.end()));
} else {
  const tx = await pool.connect();
  await tx.query("begin");
  const run = await handrail.start(greeting, { name: "Ada" }, { tx, idempotencyKey: "ada" });
  await tx.query("commit");
  tx.release();
  await handrail.send(answered, { by: "Bob" }, { key: "Ada", id: "once" });
  const timedOut = await run.result({ timeoutMs: 1 }).catch((error: unknown) => isHandrailError(error) && error.code);
  const { output } = await run.result({ timeoutMs: 60_000 });
  // @ts-expect-error The output is typed by the workflow.
  output.nothing;
  const { GET } = nextHandlers(handrail, { caller: () => ({ name: "Ada", may: ["run.read" as const] }) });
  const client = createClient({
    url: "http://127.0.0.1",
    path: "/handrail",
    fetch: async (...asked) => {
      const request = new Request(...asked);
      return GET(request, { params: Promise.resolve({ path: new URL(request.url).pathname.split("/").slice(2) }) });
    },
  });
  const { status } = await client.run(run.id).status();
  // @ts-expect-error Answers are typed by their paths.
  (await client.read("/v1/runs/{runId}", { runId: run.id })).nothing;
  // @ts-expect-error So is what is sent.
  void (() => client.post("/v1/runs", {}, { request: { workflow: 1, input: null } }));
  console.log(JSON.stringify({ created: run.created, text: output.text, by: output.by, timedOut, status }));
  await handrail.close();
  await pool.end();
}
