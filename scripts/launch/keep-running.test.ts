import { expect, it, onTestFinished, vi } from "vitest";
import { gate, until } from "../../lib/testing/until";
import { keepRunning } from "./keep-running";

/** Children that end when the test says so; what the launcher says of them is kept. */
function children() {
  const said: string[] = [];
  const spy = vi.spyOn(process.stdout, "write").mockImplementation((text) => said.push(String(text)) > 0);
  onTestFinished(() => spy.mockRestore());
  const ends: ((how: string) => void)[] = [];
  const start = () => {
    const { opened, open } = gate<string>();
    ends.push(open);
    return { name: "worker", ended: opened, output: () => "", stop: async () => open("SIGTERM") };
  };
  return { said, ends, start };
}

it("starts another one and says so, each time after a longer pause", async () => {
  const { said, ends, start } = children();
  const kept = keepRunning(start);
  ends[0]?.("SIGKILL");
  await until("A second child", () => ends.length === 2);
  const endedAt = performance.now();
  ends[1]?.("exit code 75");
  await until("A third child", () => ends.length === 3);
  expect(performance.now() - endedAt).toBeGreaterThan(490);
  await kept.stop();
  expect(said).toEqual([
    "The worker ended (SIGKILL). Another one starts at once.\n",
    "The worker ended (exit code 75: it lost its lease, and its runs with it). Another one starts in 0.5 s.\n",
  ]);
});

it("waits with the next one until it is possible", async () => {
  const { ends, start } = children();
  const possible = gate();
  const asked = gate();
  const untilPossible = () => {
    asked.open();
    return possible.opened;
  };
  const kept = keepRunning(start, { untilPossible });
  ends[0]?.("SIGKILL");
  await asked.opened;
  expect(ends).toHaveLength(1);
  possible.open();
  await until("A second child", () => ends.length === 2);
  await kept.stop();
});

it("starts no other one after an end that is final, or when it was stopped", async () => {
  const { said, ends, start } = children();
  const final = keepRunning(start, { isFinal: (how) => how === "exit code 1" });
  ends[0]?.("exit code 1");
  expect(await final.ended).toBe("exit code 1");
  const stopped = keepRunning(start);
  await stopped.stop();
  expect({ children: ends.length, said }).toEqual({ children: 2, said: [] });
});
