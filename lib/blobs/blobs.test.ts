import { randomUUID } from "node:crypto";
import { expect, it } from "vitest";
import { sha256 } from "../engine/digest";
import { blobText } from "../engine/values/blob";
import type { Db } from "../store/db";
import { memoryBlobs } from "../testing/blobs";
import { Blobs } from "./blobs";

/** Nobody's wait is noted. */
const NO_DATABASE = {} as Db;

function aStore() {
  const store = memoryBlobs();
  const [bytes, key] = [Buffer.from('"kept"'), "run/value"];
  store.kept.set(key, bytes);
  const blobs = new Blobs(NO_DATABASE, store.blobs, { timeoutMs: 100 });
  const text = blobText({ key, size: bytes.length, sha256: sha256(bytes) });
  const read = () => Promise.resolve(blobs.loaded([randomUUID(), "output"], text));
  return { ...store, read };
}
const unavailable = (why: RegExp) => ({ code: "blob_unavailable", message: expect.stringMatching(why) });

it("a read that has no answer in time is not tried again, and those in line fail with it", async () => {
  const { faults, calls, read } = aStore();
  faults.get = "hangs";
  const reads = await Promise.allSettled(Array.from({ length: 100 }, read));
  expect(reads.map((one) => one.status === "rejected" && one.reason.code)).toEqual(reads.map(() => "blob_unavailable"));
  // Four at once; and those that took their places while the fourth of them was not over.
  expect(calls.get).toBeLessThanOrEqual(7);
});

it("while the store hangs, one read at a time asks it, and others fail at once, until it answers", async () => {
  const { faults, calls, read } = aStore();
  faults.get = "hangs";
  await Promise.allSettled(Array.from({ length: 20 }, read));
  const before = calls.get;
  const probe = read();
  await expect(read()).rejects.toMatchObject(unavailable(/It has answered none of the last \d+ calls/));
  await expect(probe).rejects.toMatchObject(unavailable(/It has not answered within 100 ms/));
  expect(calls.get).toBe(before + 1);
  faults.get = undefined;
  expect(await read()).toBe('"kept"');
  expect(await Promise.all(Array.from({ length: 20 }, read))).toEqual(Array(20).fill('"kept"'));
});

it("a store that refuses has answered: it is tried three times, by each read", async () => {
  const { faults, calls, read } = aStore();
  faults.get = "fails";
  await Promise.allSettled(Array.from({ length: 8 }, read));
  expect(calls.get).toBe(24);
});
