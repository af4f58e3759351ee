import { type Guards, guardChanges } from "../../../lib/engine/workflows/guards";
import type { Workflow } from "../../../lib/engine/workflows/workflow";
import { type Finding, finding } from "./finding";

/** Masks and second persons that the code no longer asks for. A registered version keeps its own; a new one may have fewer. */
export function checkGuards(workflows: readonly Workflow[], known: readonly Guards[]): Finding[] {
  return workflows.flatMap(({ name, version, masked, fourEyes }) => {
    const after: Guards = { workflow: name, version, masked, fourEyes };
    return guardChanges(known, [after]).flatMap(({ before }) => {
      const less = lessThan(before, after);
      if (less === "") return [];
      const about = { workflow: name, version };
      return before.version === version
        ? [
            finding(
              "note",
              "kept_guards",
              about,
              `Version ${version} of "${name}" is registered with more than this code has: ${less}. It keeps that; only a new version can drop it.`,
            ),
          ]
        : [
            finding(
              "note",
              "fewer_guards",
              about,
              `Version ${version} of "${name}" protects less than version ${before.version}: without ${less}. The audit log will say so.`,
            ),
          ];
    });
  });
}

/** In words; empty if nothing is missing. */
function lessThan(before: Guards, after: Guards): string {
  const masks = before.masked.filter((path) => !after.masked.includes(path)).map((path) => `the mask of ${path}`);
  const acts = before.fourEyes.filter((act) => !after.fourEyes.includes(act as never));
  return [...masks, ...acts.map((act) => `the second person for ${act}`)].join(", ");
}
