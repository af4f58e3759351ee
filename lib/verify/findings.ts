import type { Hazard } from "./between-steps";
import type { Asked, Finding } from "./report";
import type { Sights } from "./watch";

export interface Found extends Omit<Finding, "trials"> {
  /** Steps of which any may be the one: said only where no other trial has found one of them. */
  among?: readonly string[] | undefined;
}

/** What all trials found, each once. */
export class Findings {
  private readonly found = new Map<string, Found & Finding>();
  private readonly asked = new Map<string, Asked>();

  add(given: Found): void {
    const { kind, step, line, faults } = given;
    const key = `${kind} ${step} ${line}`;
    const known = this.found.get(key);
    const trials = (known?.trials ?? 0) + 1;
    const isSimpler = !known || faults.length < known.faults.length;
    // What one trial alone proves is certain, whatever others suspect.
    const among = known && !known.among ? undefined : given.among;
    this.found.set(key, { ...(isSimpler ? given : known), among, trials });
  }

  ask(given: Asked): void {
    if (!this.asked.has(given.step)) this.asked.set(given.step, given);
  }

  all(): { findings: Finding[]; asked: Asked[] } {
    const all = [...this.found.values()];
    const certain = all.filter(({ among }) => !among);
    const findings = all
      .filter(({ kind, among = [] }) => !certain.some((one) => one.kind === kind && among.includes(one.step ?? "")))
      .map(({ among: _, ...finding }) => finding);
    const ofTrials = ({ trial }: Finding) => Number(trial !== null);
    return { findings: findings.sort((a, b) => ofTrials(a) - ofTrials(b)), asked: [...this.asked.values()] };
  }
}

const HAZARDS: Record<Hazard, { seen: string; todo: string }> = {
  clock: {
    seen: "read between steps: another value on replay",
    todo: "Use ctx.now(), which is kept as a step, or ctx.run.createdAt.",
  },
  random: {
    seen: "between steps: another value on replay",
    todo: "Use ctx.random() or ctx.uuid(), which are kept as steps.",
  },
  environment: {
    seen: "read between steps: another value after a deploy",
    todo: "Hand it over in the input, or read it in a step.",
  },
  network: { seen: "between steps: asked again on every replay", todo: "Make the request in a step." },
};

/** What the code does, in every run. */
export function findingsOfCode({ hazards, steps }: Sights): Found[] {
  const seen = [...hazards.values()].map(
    ({ hazard, call, line }): Found => ({
      kind: hazard,
      step: null,
      seen: `${call} ${HAZARDS[hazard].seen}`,
      todo: HAZARDS[hazard].todo,
      line,
      trial: null,
      faults: [],
    }),
  );
  const deaf = [...steps.values()]
    .filter(({ timeoutMs, ignoresSignal, effect }) => timeoutMs !== undefined && ignoresSignal && effect !== "once")
    .map(
      ({ name, line, timeoutMs }): Found => ({
        kind: "signal",
        step: name,
        seen: `after its timeout of ${timeoutMs} ms the body goes on, beside the next attempt`,
        todo: "Hand the body's signal to what it calls: ({ signal }) => fetch(url, { signal }).",
        line,
        trial: null,
        faults: [],
      }),
    );
  return [...seen, ...deaf];
}
