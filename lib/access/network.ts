/**
 * The network of an address: an IPv4 address itself, the first 64 bits of an IPv6 address, since one subscriber usually
 * holds all of them. Some proxies write the port behind an IPv4 address. Text that is no address is returned as it is.
 */
export function networkOf(address: string | null): string {
  if (address === null) return "unknown";
  const bare = address.replace(/^\[|\]?(%.*)?$/g, "").toLowerCase();
  const dotted = /^(?:::ffff:|::)?(\d+(?:\.\d+){3})(?::\d+)?$/.exec(bare)?.[1];
  if (dotted !== undefined) return dotted;
  if (!bare.includes(":")) return bare;
  const groups = groupsOf(bare);
  const isMapped = groups.slice(0, 6).join(":") === "0:0:0:0:0:ffff";
  return isMapped ? groups.slice(6).flatMap(bytesOf).join(".") : groups.slice(0, 4).join(":");
}

const bytesOf = (group: string): number[] => [Number.parseInt(group, 16) >> 8, Number.parseInt(group, 16) & 255];

/** All eight groups, including those that "::" abbreviates. */
function groupsOf(address: string): string[] {
  const [head = "", tail] = address.split("::");
  const before = head === "" ? [] : head.split(":");
  const after = tail ? tail.split(":") : [];
  const left = Math.max(0, 8 - before.length - after.length);
  const all = tail === undefined ? before : [...before, ...Array<string>(left).fill("0"), ...after];
  return all.map((group) => group.replace(/^0+(?=.)/, ""));
}
