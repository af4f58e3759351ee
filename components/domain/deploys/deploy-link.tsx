import { ExternalLink } from "lucide-react";
import type { Deploy } from "@/lib/api/contract/deploys";

type Named = Pick<Deploy, "name" | "url" | "version" | "commit">;

/** The name of a deploy, which leads to its page where it has one. Anything but http or https is no link. */
export function DeployLink({ deploy: { name, url, version, commit } }: { deploy: Named }) {
  const title = [version && `version ${version}`, commit && `commit ${commit}`].filter(Boolean).join(", ");
  const text = (
    <span title={title || undefined} className="break-all font-mono text-small">
      {name}
    </span>
  );
  if (url === null || !/^https?:\/\//i.test(url)) return text;
  return (
    <a
      href={url}
      target="_blank"
      rel="noopener noreferrer nofollow"
      className="rounded text-accent underline underline-offset-2"
    >
      {text}
      <ExternalLink aria-label="(opens in a new tab)" className="ml-0.5 inline size-3" />
    </a>
  );
}
