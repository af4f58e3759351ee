import { render, screen } from "@testing-library/react";
import fc from "fast-check";
import { describe, expect, it, vi } from "vitest";
import { anUndo, aStep, at } from "@/components/testing/a-run";
import type { Step } from "@/lib/api/contract/run";
import { GraphList } from "./graph-list";
import { graphOf, MOST_NODES } from "./graph-model";
import { placesOf } from "./layout";
import { foremost, tallyOf } from "./node-words";

const step = (name: string, position: number, from: number, to: number | null, given: Partial<Step> = {}) =>
  aStep(name, position, {
    startedAt: at(from),
    finishedAt: to === null ? null : at(to),
    attempts: [],
    ...(to === null && { status: "running" as const }),
    ...given,
  });
const drawn = (...args: Parameters<typeof graphOf>) =>
  graphOf(...args).edges.map(({ from, to, type }) =>
    `${from} ${type === "time" ? "→" : type} ${to}`.replaceAll("ran ", ""),
  );

describe("the lines of a graph", () => {
  it("follow one step after another", () => {
    expect(drawn([step("a", 1, 0, 1), step("b", 2, 1, 2), step("c", 3, 5, null)])).toEqual(["a → b", "b → c"]);
  });

  it("part into branches and meet again", () => {
    const steps = [step("a", 1, 0, 1), step("b", 2, 1, 9), step("c", 3, 2, 4), step("d", 4, 5, 8), step("e", 5, 9, 10)];
    expect(drawn(steps)).toEqual(["a → b", "a → c", "c → d", "b → e", "d → e"]);
  });

  it("lead forward to expected steps, and back along compensated ones", () => {
    const undo = { compensation: anUndo({ mode: "automatic", status: "completed" }) };
    const steps = [step("a", 1, 0, 1, undo), step("b", 2, 1, 2, undo), step("c", 3, 2, 3, { status: "failed" })];
    expect(drawn(steps, [step("a", 1, 0, 1), step("c", 2, 1, 2), step("d", 3, 2, 3), step("e", 4, 3, 4)])).toEqual([
      "a → b",
      "b → c",
      "c expected expected d",
      "expected d expected expected e",
      "b undo a",
    ]);
  });

  it("leave out what a rerun set aside", () => {
    const aside = step("a", 1, 0, 1, { supersededBy: 2 });
    expect(graphOf([aside, step("a", 1, 5, 6, { generation: 2 })]).nodes).toHaveLength(1);
  });

  it("never run in a circle, and every node has a separate place", () => {
    const spans = fc.array(fc.tuple(fc.nat(20), fc.nat(10), fc.boolean()), { maxLength: 40 });
    fc.assert(
      fc.property(spans, (given) => {
        const steps = given.map(([from, length, open], index) =>
          step(
            `${"abcdefghijkl"[index % 12]}${"xyz"[index % 3]}${String.fromCharCode(97 + index)}`,
            index,
            from,
            open ? null : from + length,
          ),
        );
        const graph = graphOf(steps);
        const order = new Map(graph.nodes.map(({ id }, index) => [id, index]));
        for (const { from, to, type } of graph.edges)
          if (type === "time") expect(order.get(from)).toBeLessThan(order.get(to) as number);
        const places = [...placesOf(graph).values()].map(({ x, y }) => `${x} ${y}`);
        expect(new Set(places).size).toBe(graph.nodes.length);
      }),
      { numRuns: 40 },
    );
  });
});

describe("many steps", () => {
  it("of a loop are one node that shows their statuses", () => {
    const steps = Array.from({ length: 140 }, (_, index) =>
      step(`send-mail:${index}`, index, index, index + 1, index === 70 ? { status: "failed" } : {}),
    );
    const [node, ...others] = graphOf(steps).nodes;
    expect(others).toEqual([]);
    expect(node).toMatchObject({ type: "fold", label: "send-mail:…" });
    expect(node && tallyOf(node)).toBe("139 completed, 1 failed");
    expect(node && foremost(node).name).toBe("send-mail:70");
  });

  const manySteps = (count: number) => {
    const name = (index: number) => [...String(index)].map((digit) => "abcdefghij"[Number(digit)]).join("");
    return Array.from({ length: count }, (_, index) =>
      step(`s${name(index)}`, index, index, index + 1, index % 900 === 0 ? { status: "failed" } : {}),
    );
  };
  const timeOf = (work: () => void) => {
    const began = performance.now();
    work();
    return performance.now() - began;
  };

  it("of as many names are as many nodes as one can look at", () => {
    const graph = graphOf(manySteps(5_000));
    placesOf(graph);
    expect(graph.nodes.length).toBeLessThanOrEqual(MOST_NODES);
    expect(graph.nodes.flatMap(({ steps }) => steps)).toHaveLength(5_000);
    expect(graph.nodes.filter((node) => foremost(node).status === "failed")).toHaveLength(6);
  });

  it("take time in proportion to their number", () => {
    const [few, many] = [manySteps(1_000), manySteps(8_000)];
    const best = (steps: Step[]) => Math.min(...[1, 2, 3].map(() => timeOf(() => placesOf(graphOf(steps)))));
    // Eight times as many: 64 times as long if each were compared with each.
    expect(best(many) / best(few)).toBeLessThan(32);
  });
});

it("is shown as a list, too", () => {
  const onSelect = vi.fn();
  const graph = graphOf([step("a", 1, 0, 1), step("b", 2, 1, null)], [step("c", 3, 2, 3)]);
  render(<GraphList graph={graph} selected="b" onSelect={onSelect} />);
  expect(screen.getAllByRole("listitem").map((item) => item.textContent)).toEqual([
    "CompletedaCompleted · idempotentFirst",
    "RunningbRunning · idempotentAfter a",
    "Not reachedcNot reached · idempotentAfter b",
  ]);
  expect(screen.getByRole("button", { name: /b/, pressed: true })).toBeDefined();
  screen.getByRole("button", { name: /Completed\s*a/ }).click();
  expect(onSelect).toHaveBeenCalledWith(graph.nodes[0]);
});
