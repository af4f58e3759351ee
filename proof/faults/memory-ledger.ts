import type { RunFactsForAuthors } from "../../lib/engine/workflows/workflow";

const outcomeOf = ({ id, generation }: RunFactsForAuthors, step: string) =>
  `${step} of ${id}, generation ${generation}`;

/** The effects of generated workflows, in this process: what ran, and what it did. */
export class Ledger {
  /** What must never be seen. */
  readonly wrongs: string[] = [];
  private readonly effects = new Map<string, number>();
  private readonly keptSteps = new Set<string>();
  private readonly thrown = new Map<string, number>();
  /** Rises when the worker dies: bodies of an earlier life do nothing more. */
  private life = 0;

  endLife(): void {
    this.life++;
  }

  /** A body has begun. Under a worker that has died meanwhile it does nothing more. */
  async begin(run: RunFactsForAuthors, step: string, fails: "never" | "once" | "always", work: () => Promise<unknown>) {
    const life = this.life;
    const known = outcomeOf(run, step);
    if (this.keptSteps.has(known)) this.wrongs.push(`the body of ${known} ran after its outcome was kept`);
    await work();
    if (life !== this.life) throw new Error("Its worker is dead.");
    const thrown = (this.thrown.get(step) ?? 0) + 1;
    if (fails === "never" || (fails === "once" && thrown > 1)) return;
    this.thrown.set(step, thrown);
    throw new Error(`${step} fails ${fails}`);
  }

  kept(run: RunFactsForAuthors, step: string): void {
    this.keptSteps.add(outcomeOf(run, step));
  }

  effect(key: string): void {
    this.effects.set(key, (this.effects.get(key) ?? 0) + 1);
  }

  timesOf(key: string): number {
    return this.effects.get(key) ?? 0;
  }
}
