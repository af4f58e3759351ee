import type { Claims } from "./fake-provider";

/** Somebody whom the provider vouches for. */
export const anAccount = (name: string, groups: unknown = ["ops"]): Claims => ({
  sub: `subject of ${name}`,
  email: `${name}@example.com`,
  email_verified: true,
  groups,
});
