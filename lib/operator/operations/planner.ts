import { type PlannedAct, planOf } from "../../actions/actions";
import { type ItemNow, planItem } from "../../actions/plan";
import type { CancelSplit } from "../../engine/operations/plan";
import type { Db } from "../../store/db";
import { selectDoubtsBelow, selectEffectsBelow } from "../../store/operations/effects-below";
import { selectPlanFacts, selectUnfitVersions } from "../../store/operations/plan-facts";
import { liveVersions } from "../../store/workflows/versions";
import { DOUBT_BELOW } from "../actions/doubt-below";
import { plannedFacts } from "../actions/facts";

/** Makes items by the rules; the same when a plan is made and when it is executed. */
export class Planner {
  private readonly live = new Map<string, number[]>();

  constructor(
    private readonly db: Db,
    private readonly act: PlannedAct,
  ) {}

  /** In the order of a plan's items; ids without a run are left out. */
  async look(runIds: readonly string[]): Promise<ItemNow[]> {
    const { reads: readsOf, oldestFirst } = planOf(this.act);
    const reads = readsOf?.(this.act.params) ?? {};
    const unfit = reads.unfit ? await selectUnfitVersions(this.db, runIds) : [];
    const splits = reads.splitBelow ? await selectEffectsBelow(this.db, runIds) : new Map<string, CancelSplit>();
    const doubts = reads.doubtBelow ? await selectDoubtsBelow(this.db, runIds) : new Set<string>();
    const found: ItemNow[] = [];
    for (const row of await selectPlanFacts(this.db, runIds, { outcomes: reads.outcomes ?? false })) {
      const facts = plannedFacts(row, {
        unfit: unfit.filter(({ run_id }) => run_id === row.id),
        splitBelow: splits.get(row.id) ?? "clean",
        doubtBelow: doubts.has(row.id) ? DOUBT_BELOW : null,
      });
      found.push({ facts, item: planItem(this.act, facts, await this.liveVersionsOf(row.workflow)) });
    }
    return oldestFirst ? found.reverse() : found;
  }

  /** Read only if the rule needs it. */
  private async liveVersionsOf(workflow: string): Promise<number[]> {
    const { params } = this.act;
    if (!("version" in params) || params.version === undefined) return [];
    const known = this.live.get(workflow) ?? (await liveVersions(this.db, workflow));
    this.live.set(workflow, known);
    return known;
  }
}
