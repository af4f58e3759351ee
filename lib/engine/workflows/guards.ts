/** The protections of a workflow version. */
export interface Guards {
  workflow: string;
  version: number;
  /** Paths that are masked without `payload.read`. */
  masked: readonly string[];
  /** Actions that require a second person. */
  fourEyes: readonly string[];
}

export interface GuardChange {
  before: Guards;
  after: Guards;
}

/**
 * The changes of protections by a registration: in a known version, or by a new version that lacks some of the newest
 * one before it. A workflow's first version changes nothing.
 */
export function guardChanges(before: readonly Guards[], after: readonly Guards[]): GuardChange[] {
  return after.flatMap((now) => {
    const versions = before.filter(({ workflow }) => workflow === now.workflow);
    const known = versions.find(({ version }) => version === now.version);
    if (known) return lacks(known, now) || lacks(now, known) ? [{ before: known, after: now }] : [];
    const earlier = versions.filter(({ version }) => version < now.version);
    const newest = earlier.reduce<Guards | undefined>((a, b) => (a && a.version > b.version ? a : b), undefined);
    return newest && lacks(now, newest) ? [{ before: newest, after: now }] : [];
  });
}

const lacks = (one: Guards, other: Guards): boolean =>
  other.masked.some((path) => !one.masked.includes(path)) || other.fourEyes.some((act) => !one.fourEyes.includes(act));
