import type { Claims } from "./fake-provider";

/** An account that the provider confirms. */
export const anAccount = (name: string, groups: unknown = ["ops"]): Claims => ({
  sub: `subject of ${name}`,
  email: `${name}@example.com`,
  email_verified: true,
  groups,
});
