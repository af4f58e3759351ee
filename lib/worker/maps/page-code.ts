import { HandrailError } from "../../engine/errors";
import type { AppServices, Workflow } from "../../engine/workflows/workflow";
import type { Db } from "../../store/db";
import { parentOfPage } from "../../store/runs/parent-of-page";
import type { ClaimedRun, ClaimedStep } from "../../store/workers/claim-runs";
import type { Claim } from "../claims/claim";
import { loadedRun } from "../passes/loaded-run";
import { rehearse } from "../versions/rehearse";
import { begunPages } from "./begun-pages";
import type { BegunPages, PageInput } from "./map-in-pages";
import type { MapPlan } from "./map-plan";
import { runPage } from "./run-page";

const LONGEST_PAUSE_MS = 5_000;

/**
 * The code of a claimed run: its workflow's, or, for a page of a map, the items' bodies. These are closures of the parent's code, which
 * runs over the parent's outcomes to find them.
 * @throws HandrailError `payload_locked`
 */
export function codeOfRun(
  claim: Claim,
  workflow: Workflow,
  db: Db,
  services: AppServices,
): Workflow | Promise<Workflow> {
  const { pageOf, parentRunId } = claim.run;
  if (pageOf === null || parentRunId === null) return workflow;
  return codeOfPage(claim, workflow, db, services, { pageOf, parentRunId });
}

async function codeOfPage(
  claim: Claim,
  workflow: Workflow,
  db: Db,
  services: AppServices,
  { pageOf, parentRunId }: { pageOf: string; parentRunId: string },
): Promise<Workflow> {
  const found = await claim.retrying(() => parentOfPage(db, parentRunId));
  const before = (step: ClaimedStep) => !(step.kind === "child" && step.name.startsWith(`${pageOf}:page-`));
  // The code reaches the map without its pages, whose values may be large.
  const parent = found && (await loadedRun(claim, { ...found, steps: found.steps.filter(before) }));
  const pages = parent && (await begunPages(parent, db, claim));
  return {
    ...workflow,
    singleton: undefined,
    runTitle: undefined,
    onFailure: "stop",
    handler: async (ctx, input) =>
      runPage(ctx, await mapOf(parent, workflow, services, pageOf, pages), input as PageInput),
  };
}

/** @throws HandrailError `drifted` if the code does not reach the map */
async function mapOf(
  parent: ClaimedRun | undefined,
  workflow: Workflow,
  services: AppServices,
  name: string,
  pages: BegunPages | undefined,
): Promise<MapPlan> {
  let found: MapPlan | undefined;
  // An outcome that a rerun of the parent has superseded still leads to this page.
  const steps = parent?.steps.map((step) => ({ ...step, nextKeyGeneration: null })) ?? [];
  const onMap = (map: MapPlan) => {
    if (map.name === name) found = map;
    return found !== undefined;
  };
  const until = { pauseMs: LONGEST_PAUSE_MS, onMap, ...(pages && { pages }) };
  if (parent) await rehearse({ ...parent, steps }, workflow, services, until);
  if (found) return found;
  throw new HandrailError(
    "drifted",
    `The code of "${workflow.name}" that runs here, version ${workflow.version}, does not reach mapSteps "${name}" ${parent ? `over the steps of run ${parent.id}` : "any more: its parent was deleted or erased"}. Deploy code that does, and rerun.`,
  );
}
