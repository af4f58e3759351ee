import { OutsideLink } from "@/components/parts/values/outside-link";
import type { Deploy } from "@/lib/api/contract/deploys";

type Named = Pick<Deploy, "name" | "url" | "version" | "commit">;

/** The name of a deploy, which leads to its page where it has one. */
export function DeployLink({ deploy: { name, url, version, commit } }: { deploy: Named }) {
  const title = [version && `version ${version}`, commit && `commit ${commit}`].filter(Boolean).join(", ");
  return (
    <OutsideLink address={url}>
      <span title={title || undefined} className="break-all font-mono text-small">
        {name}
      </span>
    </OutsideLink>
  );
}
