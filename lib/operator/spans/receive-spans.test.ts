import { afterEach, expect, it, vi } from "vitest";
import { Intake } from "./receive-spans";

afterEach(() => void vi.useRealTimers());

it("a sender that is ahead of its rate waits, and others do not", async () => {
  vi.useFakeTimers();
  const intake = new Intake();
  const send = (sender: string, spans: number) => intake.admit(sender, async (spend) => spend(spans));
  await send("a", 39_999);
  await send("a", 10_000);
  await expect(send("a", 1)).rejects.toMatchObject({ code: "too_many_attempts", details: { waitMs: 5_000 } });
  await send("b", 1);
  await vi.advanceTimersByTimeAsync(5_001);
  await send("a", 1);
});

it("more than four requests at once are refused, whoever sends them", async () => {
  const intake = new Intake();
  let end: () => void = () => undefined;
  const ended = new Promise<void>((resolve) => {
    end = resolve;
  });
  const four = [1, 2, 3, 4].map((n) => intake.admit(`sender ${n}`, () => ended));
  await expect(intake.admit("another", async () => undefined)).rejects.toMatchObject({ code: "too_busy" });
  end();
  await Promise.all(four);
  await intake.admit("another", async () => undefined);
});
