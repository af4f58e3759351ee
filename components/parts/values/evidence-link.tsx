import { ExternalLink } from "lucide-react";

/** A URL given as evidence. Anything but http or https is shown as plain text. */
export function EvidenceLink({ address }: { address: string }) {
  if (!/^https?:\/\//i.test(address)) return <span className="break-all">{address}</span>;
  return (
    <a
      href={address}
      target="_blank"
      rel="noopener noreferrer nofollow"
      className="break-all text-accent underline underline-offset-2"
    >
      {address}
      <ExternalLink aria-label="(opens in a new tab)" className="ml-1 inline size-3.5" />
    </a>
  );
}
