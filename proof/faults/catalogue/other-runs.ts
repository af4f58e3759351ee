import { PLAIN_STEP, TRANSACTION } from "../../../lib/testing/scenes/fault-scene";
import { announcer, called, caller, sleeper } from "../../../lib/testing/workflows/other-run-workflows";
import type { Fault } from "../fault";
import { strikeAt } from "./strike";

/** What a step does to another run commits together with its checkpoint. */
const killedBetweenRuns: Fault = {
  name: "killed between two runs",
  how: "SIGKILL around the commit of a step that sends an event to another run, or that cancels one, with four such runs claimed",
  async strike(scene) {
    const cancelled: string[] = [];
    for (let run = 0; run < 4; run++) {
      const target = await scene.start(sleeper, {});
      scene.allow(target, "cancelled");
      cancelled.push(target.id);
      await scene.start(caller, { call: (await scene.start(called, {})).id, cancel: target.id });
    }
    const place = { point: scene.random.pick(TRANSACTION), detail: scene.random.pick(["call", "cancel"]) };
    const struck = await strikeAt(scene, place);
    await scene.worker();
    await scene.untilQuiet();
    const calls = await scene.rows<{ calls: number }>(
      "select count(*)::int as calls from handrail.event where name = 'call' group by run_id",
    );
    scene.check(calls.length === 4 && calls.every(({ calls: of }) => of === 1), "P8", "a run was not called once");
    const acts = await scene.rows<{ acts: number }>(
      `select count(*)::int as acts from handrail.audit
       where act = 'cancel' and actor_kind = 'system' and run_id = any ($1::uuid[]) group by run_id`,
      [cancelled],
    );
    scene.check(acts.length === 4 && acts.every(({ acts: of }) => of === 1), "P9", "a run was not cancelled once");
    return Number(struck !== undefined);
  },
};

/** A value that somebody got before a crash is the one that stays: each attempt here draws another one. */
const killedWhilePublishing: Fault = {
  name: "killed while publishing",
  how: "SIGKILL before or after the body or the flush of a step that publishes a random value, with six such runs claimed",
  async strike(scene) {
    for (let run = 0; run < 6; run++) await scene.start(announcer, {});
    const point = scene.random.pick([...PLAIN_STEP, "flush:before", "flush:after"] as const);
    const struck = await strikeAt(scene, { point });
    const values = () =>
      scene.rows<{ id: string; output: string }>(
        "select run_id::text as id, output from handrail.step where kind = 'publish' and status = 'completed' order by run_id",
      );
    const early = await values();
    await scene.worker();
    await scene.untilQuiet();
    const late = new Map((await values()).map(({ id, output }) => [id, output]));
    scene.check(late.size === 6, "P3", "a run has published nothing");
    scene.check(
      early.every(({ id, output }) => late.get(id) === output),
      "P3",
      "a published value was replaced",
    );
    return Number(struck !== undefined);
  },
};

export const otherRunFaults: Fault[] = [killedBetweenRuns, killedWhilePublishing];
