import { setImmediate as nextTurn } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { OutcomeOrder } from "./outcome-order";

/** Requests the turn of each position at once, and returns the order in which they came. */
function asking(order: OutcomeOrder, positions: number[]): number[] {
  const came: number[] = [];
  for (const position of positions) void Promise.resolve(order.turn(position)).then(() => came.push(position));
  return came;
}

async function untilQuiet(): Promise<void> {
  for (let turn = 0; turn < 30; turn++) await nextTurn();
}

describe("kept outcomes", () => {
  it("come in the order in which they came about, whatever the order in which they are asked for", async () => {
    const order = new OutcomeOrder(4);
    const came = asking(order, [3, 1, 4, 2]);
    await untilQuiet();
    expect(came).toEqual([1, 2, 3, 4]);
    expect(order.isBusy).toBe(false);
  });

  it("come one a turn: what the code asks for because of one comes before what lies behind it", async () => {
    const order = new OutcomeOrder(3);
    const came: number[] = [];
    const branch = async () => {
      await order.turn(1);
      came.push(1);
      await order.turn(2);
      came.push(2);
    };
    void branch();
    void Promise.resolve(order.turn(3)).then(() => came.push(3));
    await untilQuiet();
    expect(came).toEqual([1, 2, 3]);
  });

  it("all come before anything runs anew", async () => {
    const order = new OutcomeOrder(3);
    const came: (number | string)[] = [];
    void order.caughtUp()?.then(() => came.push("anew"));
    const branch = async () => {
      for (const position of [1, 2, 3]) {
        await order.turn(position);
        came.push(position);
      }
    };
    void branch();
    await untilQuiet();
    expect(came).toEqual([1, 2, 3, "anew"]);
  });

  it("that nobody asks for hold nothing up", async () => {
    const order = new OutcomeOrder(5);
    let began = false;
    void order.caughtUp()?.then(() => {
      began = true;
    });
    await untilQuiet();
    expect(began).toBe(true);
    order.expect(6);
    const came = asking(order, [6]);
    await untilQuiet();
    expect(came).toEqual([6]);
  });
});

describe("new outcomes", () => {
  it("come at once in code without branches, and nothing waits to run", () => {
    const order = new OutcomeOrder(0);
    expect(order.caughtUp()).toBeUndefined();
    order.expect(1);
    expect(order.turn(1)).toBeUndefined();
    expect(order.isBusy).toBe(false);
  });

  it("wait for one before them that is still on its way to its record", async () => {
    const order = new OutcomeOrder(0);
    order.expect(1);
    order.expect(2);
    const later = asking(order, [2]);
    await untilQuiet();
    expect(later).toEqual([]);
    const before = asking(order, [1]);
    await untilQuiet();
    expect([before, later]).toEqual([[1], [2]]);
    expect(order.isBusy).toBe(false);
  });

  it("do not wait for one that was dropped", async () => {
    const order = new OutcomeOrder(0);
    order.expect(1);
    order.expect(2);
    const came = asking(order, [2]);
    order.drop(1);
    await untilQuiet();
    expect(came).toEqual([2]);
  });

  it("recorded together come one a turn", async () => {
    const order = new OutcomeOrder(0);
    for (const position of [1, 2]) order.expect(position);
    const came: string[] = [];
    const chain = async () => {
      await order.turn(1);
      for (let hop = 0; hop < 5; hop++) await undefined;
      came.push("what follows the first");
    };
    void chain();
    void Promise.resolve(order.turn(2)).then(() => came.push("the second"));
    await untilQuiet();
    expect(came).toEqual(["what follows the first", "the second"]);
  });
});
