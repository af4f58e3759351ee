/**
 * The network of an address: an IPv4 address itself, the first 64 bits of an IPv6 address, since one subscriber usually
 * holds all of them. Text that is no address is returned as it is.
 */
export function networkOf(address: string | null): string {
  if (address === null) return "unknown";
  const bare = address.replace(/^\[|\]?(%.*)?$/g, "").toLowerCase();
  const mapped = /^(?:::ffff:|::)(\d+(?:\.\d+){3})$/.exec(bare)?.[1];
  if (mapped !== undefined) return mapped;
  return bare.includes(":") ? groupsOf(bare).slice(0, 4).join(":") : bare;
}

/** All eight groups, including those that "::" abbreviates. */
function groupsOf(address: string): string[] {
  const [head = "", tail] = address.split("::");
  const before = head === "" ? [] : head.split(":");
  const after = tail ? tail.split(":") : [];
  const left = Math.max(0, 8 - before.length - after.length);
  const all = tail === undefined ? before : [...before, ...Array<string>(left).fill("0"), ...after];
  return all.map((group) => group.replace(/^0+(?=.)/, ""));
}
