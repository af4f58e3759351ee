import { fileURLToPath } from "node:url";
import { HandrailError } from "../../../lib/engine/errors";
import { prepareStart } from "../../../lib/engine/runs/start";
import { insertRunOnce } from "../../../lib/store/runs/start-run";
import { ChildConsole, type CommitMoment } from "../../../lib/testing/processes/crash";
import type { Fault } from "../fault";
import { alone, interrupted, onceADay } from "../flows/workflows";
import { CHILD_LEASE_MS, type Scene } from "../scene";

/** Of a singleton key one run lives at a time, whichever of its starts, ends and an app's transaction comes first. */
const oneLiveRun: Fault = {
  name: "50 starts of one singleton key",
  how: "50 starts at once of one singleton key, ten of them by SQL, beside workers that end its runs; three rounds",
  async strike(scene) {
    await scene.worker();
    await scene.worker();
    for (let round = 0; round < 3; round++) {
      const key = scene.word();
      const byCode = async () => insertRunOnce(scene.db, await prepareStart(alone, { word: key }));
      const bySql = async () =>
        (
          await scene.rows<{ id: string }>("select handrail.start_run($1, $2)::text as id", [alone.name, { word: key }])
        )[0];
      const answers = await Promise.all(
        Array.from({ length: 50 }, (_, index) =>
          (index % 5 === 0 ? bySql() : byCode()).catch((error: HandrailError) => error),
        ),
      );
      const refused = answers.filter((answer) => answer instanceof HandrailError);
      scene.check(
        refused.every((error) => error instanceof HandrailError && error.code === "singleton_conflict"),
        "P1",
        "a start was refused for another reason than the live run",
      );
      for (const answer of answers)
        if (answer && "id" in answer)
          scene.note({ id: answer.id, workflow: alone.name, input: {}, mayBe: ["completed", "failed"] });
    }
    await scene.untilQuiet();
    const together = await scene.rows(
      `with life as (select run.id, run.singleton_key as key, tstzrange(min(step.started_at), run.finished_at) as span
         from handrail.run join handrail.step on step.run_id = run.id where run.workflow = $1 group by run.id)
       select one.id from life as one join life as other using (key) where one.id < other.id and one.span && other.span`,
      [alone.name],
    );
    scene.check(together.length === 0, "P1", `${together.length} pairs of runs with one singleton key lived together`);
    return 150;
  },
};

const FLOWS = fileURLToPath(new URL("../flows/workflows.ts", import.meta.url));

async function aConsole(scene: Scene, diesAtCommit?: CommitMoment): Promise<ChildConsole> {
  const setup = { workflows: FLOWS, leaseMs: CHILD_LEASE_MS, ...(diesAtCommit && { diesAtCommit }) };
  const console = await ChildConsole.spawn(scene.database, setup);
  scene.atClose(() => console.kill());
  return console;
}

type Answer = { status: number; body: { id: string } };

/** Key, count and run are one commit: a start that died with its console can be repeated, and is not counted twice. */
const killedInStart: Fault = {
  name: "console killed in a start",
  how: "SIGKILL before and after the commit of a singleton's only start of the day; it is sent again to another console, among five others",
  async strike(scene) {
    await scene.worker();
    const survivor = await aConsole(scene);
    const moments: CommitMoment[] = ["before", "after", "before", "after"];
    for (const moment of moments) {
      const word = scene.word();
      const start = (console: ChildConsole, key: string) =>
        console.post("/v1/runs", { workflow: onceADay.name, input: { word } }, key) as Promise<Answer>;
      const dying = await aConsole(scene, moment);
      const lost = start(dying, word).catch(() => undefined);
      scene.check((await dying.untilEnded()) === "SIGKILL" && !(await lost), "P1", "the console answered");
      const answers = await Promise.all([word, 1, 2, 3, 4, 5].map((key) => start(survivor, `${word}-${key}`)));
      const repeated = await start(survivor, word);
      const runs = await scene.rows<{ id: string }>(
        "select id::text from handrail.run where workflow = $1 and singleton_key = $2",
        [onceADay.name, word],
      );
      scene.check(runs.length === 1, "P1", `${runs.length} runs began on one day`);
      const started = [...answers, repeated].filter(({ status }) => status === 201);
      scene.check(
        started.length === 1 && started[0]?.body.id === runs[0]?.id,
        "P1",
        `${started.length} starts were acknowledged, killed ${moment} the commit`,
      );
      scene.check(moment === "before" || repeated.status === 201, "P9", "a committed start was refused when repeated");
      for (const { id } of runs) scene.note({ id, workflow: onceADay.name, input: { word }, mayBe: ["completed"] });
    }
    await scene.untilQuiet();
    return moments.length;
  },
};

/** A run begins in time or never, whoever dies while it is claimed or given up. */
const begunTooLate: Fault = {
  name: "runs that no worker begins in time",
  how: "42 starts that are to begin within 1 ms to 4 s, and some later; workers get SIGKILL as they claim and end them",
  async strike(scene) {
    const points = ["claim:after", "run:before-end", "run:after-end"] as const;
    for (const point of points) {
      // One of them has time, so that every worker ends a run, however slow its process was to begin.
      for (const beginWithinMs of [60_000, ...Array.from({ length: 13 }, () => 1 + scene.random.below(4_000))])
        scene.allow(
          await scene.start(interrupted, { word: scene.word() }, { beginWithinMs }),
          "completed",
          "cancelled",
        );
      const child = scene.child({ fault: { point } });
      scene.check((await child.untilEnded()) === "SIGKILL", "P1", `no worker died at ${point}`);
    }
    await scene.worker();
    await scene.untilQuiet();
    const wrong = await scene.rows(
      `select id from handrail.run where begin_by is not null and case status
         when 'cancelled' then error::json ->> 'code' <> 'start_expired' or begin_by > finished_at
           or exists (select from handrail.step where run_id = run.id)
         else begin_by <= started_at end`,
    );
    scene.check(wrong.length === 0, "P7", `${wrong.length} runs began too late, or were given up too early`);
    return points.length;
  },
};

export const startFaults: Fault[] = [oneLiveRun, killedInStart, begunTooLate];
