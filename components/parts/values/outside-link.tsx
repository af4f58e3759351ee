import { ExternalLink } from "lucide-react";
import type { ReactNode } from "react";

/** A link to an address that people gave. Anything but http or https is no link. `children`: in place of the address. */
export function OutsideLink({ address, children }: { address: string | null; children?: ReactNode }) {
  const shown = children ?? <span className="break-all">{address}</span>;
  if (address === null || !/^https?:\/\//i.test(address)) return shown;
  return (
    <a
      href={address}
      target="_blank"
      rel="noopener noreferrer nofollow"
      className="rounded text-accent underline underline-offset-2"
    >
      {shown}
      <ExternalLink aria-label="(opens in a new tab)" className="ml-1 inline size-3" />
    </a>
  );
}
