import type { Random } from "../faults/random";

/** One part of a generated workflow; its name is unique among all that are generated. */
export type Part =
  | {
      kind: "step";
      name: string;
      effect: "idempotent" | "once" | "pure";
      attempts: number;
      /** The provider is down for the first attempt. */
      flaky: boolean;
      compensates: boolean;
      reconciles: boolean;
      timeout: boolean;
    }
  | { kind: "sleep"; name: string; seconds: number }
  | { kind: "recorded"; name: string; what: "now" | "random" | "uuid" }
  | { kind: "transaction"; name: string }
  /** Fails for good, is caught, and another step takes its place. */
  | { kind: "caught"; name: string }
  /** A step's result decides what comes next. */
  | { kind: "choice"; name: string; odd: boolean; ifOdd: Part[]; otherwise: Part[] }
  | { kind: "parallel"; branches: Part[][] }
  | { kind: "event" | "approval"; name: string }
  | { kind: "child"; name: string; parts: Part[] };

/** What a generated workflow may have. */
export type Family = "alone" | "with-others";

const ALONE = ["step", "step", "step", "sleep", "recorded", "caught", "choice", "parallel"] as const;
const WITH_OTHERS = [...ALONE, "transaction", "event", "approval", "child", "child"] as const;

/** @param number makes its names unique */
export function randomWorkflow(random: Random, number: number, family: Family): Part[] {
  let names = 0;
  const name = (kind: string) => `${number}-${kind}-${++names}`;
  const chance = (oneIn: number) => random.below(oneIn) === 0;
  const several = (most: number, depth: number) => Array.from({ length: 1 + random.below(most) }, () => part(depth));
  const part = (depth: number): Part => {
    const kind = random.pick<Part["kind"]>(family === "alone" ? ALONE : WITH_OTHERS);
    switch (kind) {
      case "sleep":
        return { kind, name: name(kind), seconds: 1 + random.below(86_400) };
      case "recorded":
        return { kind, name: name(kind), what: random.pick(["now", "random", "uuid"] as const) };
      case "transaction":
      case "caught":
      case "event":
      case "approval":
        return { kind, name: name(kind) };
      case "choice":
        if (depth > 0)
          return {
            kind,
            name: name(kind),
            odd: chance(2),
            ifOdd: several(2, depth - 1),
            otherwise: several(2, depth - 1),
          };
        break;
      case "parallel":
        if (depth > 0) return { kind, branches: [several(2, depth - 1), several(2, depth - 1)] };
        break;
      case "child":
        if (depth > 1) return { kind, name: name(kind), parts: several(2, 1) };
        break;
    }
    const effect = random.pick(["idempotent", "idempotent", "once", "pure"] as const);
    const attempts = effect === "once" ? 1 : 1 + random.below(3);
    return {
      kind: "step",
      name: name("step"),
      effect,
      attempts,
      flaky: attempts > 1 && chance(3),
      compensates: effect === "idempotent" && chance(2),
      reconciles: effect !== "pure" && chance(4),
      timeout: chance(5),
    };
  };
  return Array.from({ length: 1 + random.below(4) }, () => part(2));
}

/** All parts, those within others too. */
export function partsIn(parts: readonly Part[]): Part[] {
  return parts.flatMap((part) => {
    if (part.kind === "choice") return [part, ...partsIn(part.ifOdd), ...partsIn(part.otherwise)];
    if (part.kind === "parallel") return [part, ...part.branches.flatMap(partsIn)];
    return part.kind === "child" ? [part, ...partsIn(part.parts)] : [part];
  });
}
