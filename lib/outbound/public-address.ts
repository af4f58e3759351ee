import { BlockList, isIPv4, isIPv6 } from "node:net";

/*
 * Addresses on the public internet, not of this machine, its neighbours or the cloud's internal services: the
 * registries of special addresses (IANA, 2025), and what clouds add to them. For IPv6 the reverse: an address that is
 * not known to be public is refused, so that no way of wrapping an IPv4 address into one has to be listed.
 */

const REFUSED_V4: [network: string, bits: number][] = [
  ["0.0.0.0", 8], // this network; 0.0.0.0 is this machine
  ["10.0.0.0", 8],
  ["100.64.0.0", 10], // carrier-grade NAT, and clouds' own services
  ["127.0.0.0", 8],
  ["168.63.129.16", 32], // Azure's service for its machines
  ["169.254.0.0", 16], // link-local, and clouds' metadata services
  ["172.16.0.0", 12],
  ["192.0.0.0", 24],
  ["192.0.2.0", 24],
  ["192.31.196.0", 24],
  ["192.52.193.0", 24],
  ["192.88.99.0", 24],
  ["192.168.0.0", 16],
  ["192.175.48.0", 24],
  ["198.18.0.0", 15],
  ["198.51.100.0", 24],
  ["203.0.113.0", 24],
  ["224.0.0.0", 4], // multicast
  ["240.0.0.0", 4], // reserved, and broadcast
];

const refusedV4 = new BlockList();
for (const [network, bits] of REFUSED_V4) refusedV4.addSubnet(network, bits, "ipv4");

const PUBLIC_V6 = new BlockList();
PUBLIC_V6.addSubnet("2000::", 3, "ipv6");

const refusedV6 = new BlockList();
for (const [network, bits] of [
  ["2001::", 23], // Teredo, ORCHID and the like
  ["2001:db8::", 32],
  ["2002::", 16], // 6to4: wraps IPv4
  ["2620:4f:8000::", 48],
  ["3fff::", 20],
] as const)
  refusedV6.addSubnet(network, bits, "ipv6");

/** @param address from the resolver; text that is no address is not public */
export function isPublicAddress(address: string): boolean {
  if (isIPv4(address)) return !refusedV4.check(address, "ipv4");
  if (!isIPv6(address) || address.includes("%")) return false;
  return PUBLIC_V6.check(address, "ipv6") && !refusedV6.check(address, "ipv6");
}
