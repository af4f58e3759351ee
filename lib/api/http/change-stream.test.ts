import { afterEach, beforeEach, expect, it, vi } from "vitest";
import type { Change, ChangeFeed } from "../../operator/changes/change-feed";
import { changeStream } from "./change-stream";

// Fake time: timers do not fire until the test advances it.
beforeEach(() => void vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] }));
afterEach(() => void vi.useRealTimers());

async function aStream() {
  let onChange: (change: Change) => void = () => undefined;
  const feed = {
    size: 200,
    refuseWhenFull: () => undefined,
    changedLately: () => ({ runIds: [], many: false }),
    listen: (listener: { onChange: typeof onChange }) => {
      onChange = listener.onChange;
      return () => undefined;
    },
  } as unknown as ChangeFeed;
  const everything = {
    by: null,
    stillMay: async () => true,
    visible: async (runIds: readonly string[]) => runIds,
    position: async () => "1/AB",
    databaseAnswers: async () => true,
  };
  const response = changeStream(feed, new Request("http://localhost"), everything);
  const heard: string[] = [];
  const texts: string[] = [];
  const decoder = new TextDecoder();
  void (async () => {
    for await (const chunk of response.body as unknown as AsyncIterable<Uint8Array>) {
      const text = decoder.decode(chunk);
      texts.push(text);
      heard.push(...[...text.matchAll(/"runIds":\[(.*?)\]/g)].map(([, ids]) => ids as string));
    }
  })();
  await turns();
  return {
    heard,
    texts,
    change: (runId: string, urgent: boolean) => onChange({ runIds: [runId], many: false, urgent }),
  };
}

const turns = async () => {
  for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve));
};

it("passes an end on at once, with the progress that was gathered", async () => {
  const { heard, change } = await aStream();
  change("a", false);
  await turns();
  expect(heard).toEqual(['"a"']);
  change("b", false);
  await turns();
  expect(heard).toEqual(['"a"']);
  change("c", true);
  await turns();
  expect(heard).toEqual(['"a"', '"b","c"']);
  change("d", true);
  await turns();
  expect(heard).toEqual(['"a"', '"b","c"', '"d"']);
});

it("gathers ends, too, when there are more than the process could send to two hundred", async () => {
  const { heard, change } = await aStream();
  for (let n = 0; n < 100; n++) {
    change(`run-${n}`, true);
    await turns();
  }
  expect(heard.length).toBeLessThan(30);
  await vi.advanceTimersByTimeAsync(110);
  await turns();
  expect(heard.join()).toContain("run-99");
});

it("says with each change where the log is, asked after the change", async () => {
  const { heard, texts, change } = await aStream();
  change("a", true);
  await turns();
  expect(heard).toEqual(['"a"']);
  expect(texts.join("")).toContain('{"runIds":["a"],"many":false,"wal":"1/AB"}');
});
