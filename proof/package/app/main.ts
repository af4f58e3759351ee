import { createHandrail, isHandrailError } from "handrail";
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
  const path = ["v1", "runs", run.id];
  const request = new Request(`http://127.0.0.1/handrail/${path.join("/")}`);
  const caller = () => ({ name: "Ada", may: ["run.read" as const] });
  const http = await nextHandlers(handrail, { caller }).GET(request, { params: Promise.resolve({ path }) });
  const { status } = (await http.json()) as { status: string };
  console.log(JSON.stringify({ created: run.created, text: output.text, by: output.by, timedOut, status }));
  await handrail.close();
  await pool.end();
}
