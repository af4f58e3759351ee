import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { fileText, snippetsOf } from "../testing/doc-snippets";
import { aRemoteScene } from "../testing/remote-worker";

const scene = aRemoteScene();

/** Each command of the page, in order: its path, its Idempotency-Key and its body. */
const commands = [
  ...readFileSync("docs/any-language.md", "utf8").matchAll(
    /^curl -s \$API(\S+) -H 'content-type: application\/json'(?: -H 'idempotency-key: (\S+)')? -d (.+)$/gm,
  ),
].map(([, path, key, body]) => ({ path: path as string, key, body: (body as string).replaceAll("'", "") }));

it("every command of docs/any-language.md does what the page says, one after the other", async () => {
  const known: Record<string, string> = {};
  const filled = (text: string) => text.replaceAll(/\$([A-Z]+)/g, (_, name) => known[name] as string);
  const next: string[] = [];
  for (const { path, key, body } of commands) {
    const headers: Record<string, string> = key === undefined ? {} : { "idempotency-key": key };
    const answer = await scene.api.ask("POST", `/v1${filled(path)}`, { body: filled(body), headers });
    expect(answer.status, `${path} ${body} ${JSON.stringify(answer.body)}`).toBeLessThan(300);
    if (answer.body.workerId) known.WORKER = answer.body.workerId;
    const [run] = answer.body.runs ?? [];
    if (run) Object.assign(known, { RUN: run.id, EPOCH: String(run.epoch) });
    if (answer.body.next ?? answer.body.status) next.push(answer.body.next ?? answer.body.status);
  }
  expect(next).toEqual([
    "pending",
    "go",
    "wait",
    "go",
    "completed",
    "go",
    "completed",
    "wait",
    "waiting",
    "completed",
    "completed",
  ]);
  expect((await scene.history(known.RUN as string)).run).toMatchObject({
    status: "completed",
    tags: { parcel: "P-1" },
  });
});

it("the page shows the example that runs", () => {
  const example = fileText(new URL("../../examples/python/invoice.py", import.meta.url).href);
  for (const snippet of snippetsOf("any-language.md", "python")) expect(example).toContain(snippet);
});
