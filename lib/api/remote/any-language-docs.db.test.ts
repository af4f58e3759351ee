import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { fileText, snippetsOf } from "../../testing/doc-snippets";
import { aRemoteScene } from "../../testing/workers/remote-worker";

const scene = aRemoteScene();

/** Each command of the page, in order: its path, the secret of its claim, its Idempotency-Key and its body. */
const commands = [
  ...readFileSync("docs/any-language.md", "utf8").matchAll(
    /^curl -s \$API(\S+) -H 'content-type: application\/json'(?: -H "handrail-claim: (\S+)")?(?: -H 'idempotency-key: (\S+)')? -d (.+)$/gm,
  ),
].map(([, path, secret, key, body]) => ({
  path: path as string,
  secret,
  key,
  body: (body as string).replaceAll("'", ""),
}));

it("every command of docs/any-language.md does what the page says, one after the other", async () => {
  const known: Record<string, string> = {};
  const filled = (text: string) => text.replaceAll(/\$([A-Z]+)/g, (_, name) => known[name] as string);
  const next: string[] = [];
  for (const { path, secret, key, body } of commands) {
    const headers = {
      ...(secret !== undefined && { "handrail-claim": filled(secret) }),
      ...(key !== undefined && { "idempotency-key": key }),
    };
    const answer = await scene.api.ask("POST", `/v1${filled(path)}`, { body: filled(body), headers });
    expect(answer.status, `${path} ${body} ${JSON.stringify(answer.body)}`).toBeLessThan(300);
    if (answer.body.workerId) known.WORKER = answer.body.workerId;
    const [run] = answer.body.runs ?? [];
    if (run) Object.assign(known, { RUN: run.id, EPOCH: String(run.epoch), SECRET: run.secret });
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
  const example = fileText(new URL("../../../examples/python/invoice.py", import.meta.url).href);
  for (const snippet of snippetsOf("any-language.md", "python")) expect(example).toContain(snippet);
});
