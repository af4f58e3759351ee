import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import type { ChildWorker } from "../../../lib/testing/processes/crash";
import { until } from "../../../lib/testing/until";
import type { Fault } from "../fault";
import { deployed, VERSIONS, workflows } from "../flows/rolling";
import type { Scene } from "../scene";

const ROLLING = fileURLToPath(new URL("../flows/rolling.ts", import.meta.url));
/** None may lose it because the machine is slow: its version would then have no worker. */
const LEASE_MS = 30_000;
const START_EVERY_MS = 100;
/** Runs that are started between two steps of the deploy. */
const SOME = 8;

/** Starts runs of the current version, in turn with and without a limit, until `end`. */
class Load {
  version = 1;
  readonly versionOf = new Map<string, number>();
  private over = false;
  private readonly started: Promise<void>;

  constructor(private readonly scene: Scene) {
    this.started = this.go();
    // It is reported by `end`, which may come later.
    this.started.catch(() => undefined);
  }

  private async go(): Promise<void> {
    while (!this.over) {
      const { version } = this;
      for (const workflow of deployed(version)) {
        const { id } = await this.scene.start(workflow, { word: this.scene.word() });
        this.versionOf.set(id, version);
      }
      await delay(START_EVERY_MS);
    }
  }

  /** Until some more have been started and have begun. */
  async some(): Promise<void> {
    const goal = this.versionOf.size + SOME;
    const begun = "select from handrail.run where started_at is not null";
    await until("Runs under way", async () => (await this.scene.rows(begun)).length >= goal);
  }

  async end(): Promise<void> {
    this.over = true;
    await this.started;
  }
}

async function deploy(scene: Scene, versions: string): Promise<ChildWorker> {
  const child = scene.child({ workflows: ROLLING, leaseMs: LEASE_MS, env: { [VERSIONS]: versions } });
  await child.untilReady();
  return child;
}

async function retire(scene: Scene, child: ChildWorker): Promise<void> {
  child.signal("SIGTERM");
  scene.check((await child.untilEnded()) === 0, "P1", "a worker did not end by itself when asked to");
}

/** While its version has a worker, a run's code is of that version from its first step to its last, and none has drifted. */
async function checkVersions(scene: Scene, { versionOf }: Load): Promise<void> {
  const mixed = scene.rig.ledger.bodies.filter(({ runId, step }) => {
    const version = versionOf.get(runId);
    return version !== undefined && !step.endsWith(`-${version}`);
  });
  scene.check(mixed.length === 0, "P1", `${mixed.length} bodies were another version's than their run's`);
  const moved = await scene.rows(
    `select from handrail.run where code_version is not null or error::json ->> 'code' = 'drifted' or output::int <> version`,
  );
  scene.check(moved.length === 0, "P1", `${moved.length} runs went to another version or drifted`);
}

const rolling: Fault = {
  name: "rolling deploy",
  how: "versions 1 and 2 of a workflow in five processes, forward and back under load by SIGTERM, one killed between",
  workflows,
  async strike(scene) {
    const [one, other] = await Promise.all([deploy(scene, "1"), deploy(scene, "1")]);
    const load = new Load(scene);
    scene.atClose(() => load.end());
    const both = await deploy(scene, "1,2");
    load.version = 2;
    await retire(scene, one);
    const dying = await deploy(scene, "2");
    await load.some();
    await retire(scene, other);
    await load.some();
    await dying.kill();
    await scene.endLeaseOf(dying);
    const two = await deploy(scene, "2");
    // And back: version 1 is deployed again, and version 2 goes when its runs have ended.
    load.version = 1;
    const again = await deploy(scene, "1");
    await retire(scene, both);
    await load.some();
    const open = "select from handrail.run where version = 2 and finished_at is null";
    await until("The end of version 2", async () => (await scene.rows(open)).length === 0);
    await retire(scene, two);
    await load.end();
    await scene.untilQuiet();
    await retire(scene, again);
    await checkVersions(scene, load);
    return 5;
  },
};

export const deployFaults: Fault[] = [rolling];
