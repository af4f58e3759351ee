import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { aSandbox, type TestSandbox } from "./fixture";

const bytes = new Uint8Array([0, 255, 10, 13, 128]);

function put(sandbox: TestSandbox, key: string, body: BodyInit = bytes) {
  return sandbox.fetch(`/blobs/${key}`, { method: "PUT", headers: { "Content-Type": "image/x-test" }, body });
}

/** A body that does not say beforehand how long it is. */
function putStream(sandbox: TestSandbox, key: string, size: number) {
  const init = { method: "PUT", body: new Blob([new Uint8Array(size)]).stream(), duplex: "half" };
  return sandbox.fetch(`/blobs/${key}`, init);
}

async function blobsOf(sandbox: TestSandbox) {
  return (await sandbox.get("/blobs")).body.blobs;
}

describe("the blob store", () => {
  it("gives back the bytes and the type it was given", async () => {
    const sandbox = await aSandbox();
    expect((await put(sandbox, "reports/2026/11.bin")).status).toBe(201);
    const answer = await sandbox.fetch("/blobs/reports/2026/11.bin");
    expect(answer.headers.get("Content-Type")).toBe("image/x-test");
    expect(new Uint8Array(await answer.arrayBuffer())).toEqual(bytes);
  });

  it("keeps one blob per key and counts the writes", async () => {
    const sandbox = await aSandbox();
    await put(sandbox, "a");
    expect((await put(sandbox, "a", "longer than that")).status).toBe(200);
    expect(await blobsOf(sandbox)).toEqual([
      { key: "a", size: 16, contentType: "image/x-test", writes: 2, createdAt: expect.stringMatching(/Z$/) },
    ]);
    expect(await (await sandbox.fetch("/blobs/a")).text()).toBe("longer than that");
  });

  it("deletes, and does not mind being asked twice", async () => {
    const sandbox = await aSandbox();
    await put(sandbox, "a");
    for (const _ of ["first", "again"]) {
      expect((await sandbox.fetch("/blobs/a", { method: "DELETE" })).status).toBe(204);
    }
    expect((await sandbox.fetch("/blobs/a")).status).toBe(404);
    expect(await blobsOf(sandbox)).toEqual([]);
  });

  it("takes five mebibytes and not a byte more", async () => {
    const sandbox = await aSandbox();
    const most = 5 * 1024 * 1024;
    expect((await put(sandbox, "most", new Uint8Array(most))).status).toBe(201);
    expect((await put(sandbox, "more", new Uint8Array(most + 1))).status).toBe(413);
    expect((await putStream(sandbox, "streamed", most)).status).toBe(201);
    expect((await putStream(sandbox, "more", most + 1)).status).toBe(413);
    expect(await blobsOf(sandbox)).toMatchObject([
      { key: "most", size: most },
      { key: "streamed", size: most },
    ]);
  });

  it("is down for writes and reads, while its listing answers", async () => {
    const sandbox = await aSandbox();
    await put(sandbox, "a");
    await sandbox.put("/blobs/faults", { mode: "down" });
    expect((await put(sandbox, "b")).status).toBe(503);
    expect((await sandbox.fetch("/blobs/a")).status).toBe(503);
    expect(await blobsOf(sandbox)).toMatchObject([{ key: "a" }]);
  });

  it("is flaky, slow, and loses answers on demand", async () => {
    const sandbox = await aSandbox();
    await sandbox.put("/blobs/faults", { mode: "flaky", rate: 1, times: 1 });
    expect((await put(sandbox, "a")).status).toBe(503);
    expect(await blobsOf(sandbox)).toEqual([]);

    await sandbox.put("/blobs/faults", { mode: "lose-answer", times: 1 });
    await expect(put(sandbox, "a")).rejects.toThrow("fetch failed");
    expect(await blobsOf(sandbox)).toMatchObject([{ key: "a", writes: 1 }]);

    await sandbox.put("/blobs/faults", { mode: "slow", delayMs: 300, times: 1 });
    const startedAt = performance.now();
    expect((await put(sandbox, "a")).status).toBe(200);
    expect(performance.now() - startedAt).toBeGreaterThanOrEqual(300);
  });

  it("keeps its blobs over a restart and sweeps the bytes that none needs any more", async () => {
    const sandbox = await aSandbox();
    await put(sandbox, "a", "first");
    await put(sandbox, "a", "second");
    const before = await blobsOf(sandbox);
    await sandbox.restart();
    expect(await blobsOf(sandbox)).toEqual(before);
    expect(await (await sandbox.fetch("/blobs/a")).text()).toBe("second");
    expect(await readdir(join(sandbox.directory, "blobs"))).toHaveLength(1);
  });
});
