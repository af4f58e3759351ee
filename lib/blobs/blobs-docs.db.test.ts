import { mkdtemp, rm } from "node:fs/promises";
import { createRequire } from "node:module";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { AwsClient } from "aws4fetch";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import type { BlobStore } from "../engine/values/blob-store";
import { defineWorkflow } from "../engine/workflows/workflow";
import { erase } from "../testing/actions";
import { large, MIB } from "../testing/blobs";
import { aDesk } from "../testing/desk";
import { blocksOf, fileText, snippetsOf } from "../testing/doc-snippets";
import { until } from "../testing/until";
import { anEngine } from "../testing/workers/engine";
import { sweepBlobs } from "../worker/duties/sweep-blobs";
import { Blobs } from "./blobs";

/** The page's store. */
function s3Blobs(bucket: string, keys: { accessKeyId: string; secretAccessKey: string }): BlobStore {
  const s3 = new AwsClient({ ...keys, service: "s3", region: "us-east-1", retries: 0 });
  const ask = async (method: string, key: string, signal: AbortSignal, body?: Uint8Array) => {
    const response = await s3.fetch(`${bucket}/${key}`, {
      method,
      signal,
      ...(body && { body: new Uint8Array(body) }),
    });
    if (response.ok || response.status === 404) return response;
    throw new Error(`${method} ${response.status}: ${(await response.text()).slice(0, 200)}`);
  };
  return {
    async put(key, bytes, signal) {
      const { ok, status } = await ask("PUT", key, signal, bytes);
      if (!ok) throw new Error(`PUT ${status}: is there such a bucket?`);
    },
    async get(key, signal) {
      const response = await ask("GET", key, signal);
      return response.ok ? new Uint8Array(await response.arrayBuffer()) : null;
    },
    async delete(keys, signal) {
      for (const key of keys) await ask("DELETE", key, signal);
    },
  };
}

/** A real server of S3's protocol. It compares the access key, and no signature. */
interface S3rver {
  run(): Promise<AddressInfo>;
  close(): Promise<void>;
}
const S3rver = createRequire(import.meta.url)("s3rver") as new (options: object) => S3rver;
const KEYS = { accessKeyId: "S3RVER", secretAccessKey: "S3RVER" };

const engine = anEngine();
let folder = "";
let server: S3rver;
let port = 0;
const listen = async () => {
  server = new S3rver({
    ...{ port, address: "127.0.0.1", silent: true, directory: folder },
    configureBuckets: [{ name: "handrail", configs: [] }],
  });
  port = (await server.run()).port;
};
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "s3-"));
  await listen();
});
afterAll(async () => {
  await server.close();
  await rm(folder, { recursive: true, force: true });
});
const bucket = () => `http://127.0.0.1:${port}/handrail`;
const store = (keys = KEYS) => s3Blobs(bucket(), keys);
const signal = () => AbortSignal.timeout(10_000);

it("the snippets of docs/blobs.md are the code of this test", () => {
  const file = fileText(import.meta.url);
  const [, ofS3] = snippetsOf("blobs.md");
  const body = (ofS3 as string).slice((ofS3 as string).indexOf("functions3Blobs"));
  expect(file).toContain(body);
  expect(blocksOf("blobs.md", "ts")).toHaveLength(2);
});

describe("in a bucket", () => {
  it("bytes are put, got and deleted; a repetition and what is not there are no error", async () => {
    const s3 = store();
    const bytes = Buffer.from(large("é", 2));
    await s3.put("run/one", bytes, signal());
    await s3.put("run/one", bytes, signal());
    expect(Buffer.from((await s3.get("run/one", signal())) as Uint8Array).equals(bytes)).toBe(true);
    await s3.delete(["run/one", "run/none"], signal());
    expect(await s3.get("run/one", signal())).toBeNull();
  });

  it("an unknown access key is refused, and says so", async () => {
    const wrong = store({ ...KEYS, accessKeyId: "wrong" });
    await expect(wrong.put("run/two", Buffer.from("x"), signal())).rejects.toThrow(/PUT 403: .*InvalidAccessKeyId/s);
  });

  it("a run's values are kept, outlive a stop of the server, and are deleted with its data", async () => {
    const calls: number[] = [];
    const workflow = defineWorkflow({ name: "in-a-bucket", input: z.object({}) }, async (ctx) => {
      const text = await ctx.step(
        "write",
        () => {
          calls.push(1);
          return large("x", 20);
        },
        { effect: "once" },
      );
      await ctx.sleep("pause", 1_500);
      return text;
    });
    const id = await engine.start(workflow);
    await engine.worker([workflow], { blobs: store() });
    const held = async () =>
      (await engine.rows<{ held: boolean }>("select held from handrail.blob where run_id = $1", [id]))[0]?.held;
    await until("The put", held);
    await server.close();
    const { run } = await engine.untilRun(id, (history) => history.run.waiting_kind === "blob");
    expect(run.waiting_step).toBe("write");
    const [{ error } = { error: "" }] = await engine.rows<{ error: string }>(
      "select error from handrail.blob_wait where run_id = $1",
      [id],
    );
    expect(error).toMatch(/fetch failed|ECONNREFUSED/);
    await listen();
    const ended = await engine.untilEnded(id);
    expect(ended.run).toMatchObject({ status: "completed", output: { $type: "blob", size: 20 * MIB + 2 } });
    expect(calls).toHaveLength(1);
    const keys = (await engine.rows<{ key: string }>("select key from handrail.blob where run_id = $1", [id])).map(
      ({ key }) => key,
    );
    expect(keys).toHaveLength(2);
    await erase(aDesk(engine.db), { runId: id, reason: "asked" });
    await sweepBlobs(engine.db, new Blobs(engine.db, store()));
    await until(
      "The deletion",
      async () => (await engine.rows("select 1 from handrail.blob where run_id = $1", [id])).length === 0,
    );
    for (const key of keys) expect(await store().get(key, signal())).toBeNull();
  });
});
