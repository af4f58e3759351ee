import { Instant } from "@/components/parts/time/instant";
import type { Deploy } from "@/lib/api/contract/deploys";
import { DeployLink } from "./deploy-link";

/** More are only lines in the chart. */
const SHOWN = 6;

/** The deploys of a chart, latest first, with their times and the versions that they brought. Nothing without one. */
export function DeployList({ deploys }: { deploys: readonly Deploy[] }) {
  if (deploys.length === 0) return null;
  const shown = deploys.slice(-SHOWN).reverse();
  return (
    <div className="flex flex-wrap gap-x-4 gap-y-1 text-ink-3 text-small">
      <h3 className="font-normal">Deploys</h3>
      <ul className="flex flex-wrap gap-x-4 gap-y-1">
        {shown.map((deploy) => (
          <li key={deploy.id} className="min-w-0">
            <DeployLink deploy={deploy} /> <Instant at={deploy.at} />
            {broughtBy(deploy)}
          </li>
        ))}
        {shown.length < deploys.length && <li>and {deploys.length - shown.length} earlier</li>}
      </ul>
    </div>
  );
}

/** Where its name is another one than these. */
function broughtBy({ version, commit, build, workflows }: Deploy): string {
  if (workflows.length === 0 || (version ?? commit ?? build) === null) return "";
  const [first, ...others] = workflows.map(({ workflow, versions }) => `${workflow} v${versions.join(", v")}`);
  return ` · ${first}${others.length > 0 ? ` and ${others.length} more` : ""}`;
}
