import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { ABORT_GRACE_MS } from "../passes/stop-reason";
import { BodyAborts } from "./body-aborts";

beforeEach(() => void vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] }));
afterEach(() => void vi.useRealTimers());

function aBody() {
  const bodies = new BodyAborts();
  const abandon = vi.fn();
  bodies.onAbandon(abandon);
  return { bodies, abandon };
}

it("a body that ignores its cancel is abandoned in time, however often it is asked", () => {
  const { bodies, abandon } = aBody();
  for (let at = 0; at < ABORT_GRACE_MS.cancelled; at += 1_000) {
    bodies.abort("cancelled");
    vi.advanceTimersByTime(1_000);
  }
  expect(abandon).toHaveBeenCalledOnce();
});

it("a shutdown shortens the time of a cancelled one, and a cancel does not lengthen that of a shutdown", () => {
  const { bodies, abandon } = aBody();
  bodies.abort("cancelled");
  bodies.abort("released");
  bodies.abort("cancelled");
  vi.advanceTimersByTime(ABORT_GRACE_MS.released);
  expect(abandon).toHaveBeenCalledOnce();
});
