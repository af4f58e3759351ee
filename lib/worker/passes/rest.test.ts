import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { afterEach, describe, expect, it, vi } from "vitest";
import { ClaimLost } from "../claims/claim-lost";
import { Rest } from "./rest";

const untilDue = { kind: "timer", dueAt: null, dueInMs: 60_000 } as const;

function deferred() {
  let resolve!: () => void;
  return { promise: new Promise<void>((done) => (resolve = done)), resolve: () => resolve() };
}

afterEach(() => vi.useRealTimers());

/** A run's facts, which only its code knows: it asks for work that never begins. */
function factsOfCode(asks: () => Promise<unknown> | undefined): WeakRef<object> {
  const facts = { id: "run" };
  void (async () => {
    await asks();
    throw new Error(facts.id);
  })();
  return new WeakRef(facts);
}

it("code that must not go on keeps nothing in memory", async () => {
  setFlagsFromString("--expose-gc");
  const [stopped, over] = [new Rest(0), new Rest(0)];
  stopped.stop("released");
  over.order.abandon();
  const facts = [
    factsOfCode(() => stopped.work(() => expect.unreachable())),
    factsOfCode(() => stopped.checkpoint()),
    factsOfCode(() => over.order.turn(1)),
    factsOfCode(() => over.order.caughtUp()),
  ];
  await new Promise((resolve) => setTimeout(resolve));
  runInNewContext("gc")();
  expect(facts.map((of) => of.deref())).toEqual([undefined, undefined, undefined, undefined]);
});

describe("a pass ends", () => {
  it("with its code, but not under work in flight", async () => {
    const rest = new Rest(0);
    const body = deferred();
    let recorded = false;
    void rest.work(async () => {
      await body.promise;
      recorded = true;
    });
    rest.follow(Promise.resolve("done"));
    await new Promise(setImmediate);
    expect(rest.isOver).toBe(false);
    body.resolve();
    expect(await rest.outcome).toEqual({ kind: "completed", value: "done" });
    expect(recorded).toBe(true);
  });

  it("suspended, once every branch waits; also when it was to be handed back", async () => {
    const rest = new Rest(0);
    void rest.park("nap", untilDue);
    rest.comeToRest();
    expect(await rest.outcome).toMatchObject({ kind: "suspended", waits: new Map([["nap", untilDue]]) });
  });

  it("handed back, when a branch had more to do than to wait", async () => {
    const rest = new Rest(0);
    void rest.park("nap", untilDue);
    rest.comeToRest();
    void rest.work(() => expect.unreachable());
    expect(await rest.outcome).toEqual({ kind: "released" });
  });

  it("with the reason of its last stop, unless the claim was lost", async () => {
    const locked = new Rest(0);
    const because = new Error("no key");
    locked.stop("cancelled");
    locked.stop("locked", because);
    expect(await locked.outcome).toEqual({ kind: "locked", because });

    const lost = new Rest(0);
    lost.follow(Promise.reject(new ClaimLost("run")));
    expect(await lost.outcome).toEqual({ kind: "lost" });
    lost.stop("cancelled");
    expect(lost.isLost).toBe(true);
  });

  it("and leaves no timer, also of code that goes on after its claim was lost", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    const rest = new Rest(0);
    void rest.park("nap", untilDue);
    rest.follow(Promise.reject(new ClaimLost("run")));
    await rest.outcome;
    void rest.park("nap of another branch", untilDue);
    expect(vi.getTimerCount()).toBe(0);
  });
});
