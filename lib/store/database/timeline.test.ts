import type { ClientBase } from "pg";
import { expect, it } from "vitest";
import { Timeline } from "./timeline";

const session = (timeline: string | null, synchronous = false) =>
  ({ query: async () => ({ rows: [{ timeline, synchronous }] }) }) as unknown as ClientBase;
const silent = { query: () => Promise.reject(new Error("no such function")) } as unknown as ClientBase;

function aTimeline() {
  let forks = 0;
  const timeline = new Timeline();
  timeline.onFork(() => void forks++);
  return { timeline, forks: () => forks };
}

it("continues where the server stays the same, or does not report its timeline", async () => {
  const { timeline, forks } = aTimeline();
  for (const one of [session("1"), silent, session("1")]) await timeline.check(one);
  expect(forks()).toBe(0);
});

it("continues with the standby that every commit had waited for", async () => {
  const { timeline, forks } = aTimeline();
  await timeline.check(session("1", true));
  await timeline.check(session("2"));
  expect(forks()).toBe(0);
  await expect(timeline.check(session("3"))).rejects.toMatchObject({ code: "unavailable" });
});

it("reports once a server that may have lost commits, and refuses every later session", async () => {
  const { timeline, forks } = aTimeline();
  await timeline.check(session("1"));
  for (const one of [session("2"), session("2"), session("1")])
    await expect(timeline.check(one)).rejects.toMatchObject({ code: "unavailable" });
  expect(forks()).toBe(1);
});

it("refuses every session with a standby, and reports none", async () => {
  const { timeline, forks } = aTimeline();
  await expect(timeline.check(session(null))).rejects.toMatchObject({ code: "unavailable" });
  await timeline.check(session("1"));
  expect(forks()).toBe(0);
});
