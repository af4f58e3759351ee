/** What a version of a workflow protects. */
export interface Guards {
  workflow: string;
  version: number;
  /** Paths that people are not shown without `payload.read`. */
  masked: readonly string[];
  /** Actions that take a second person. */
  fourEyes: readonly string[];
}

export interface GuardChange {
  before: Guards;
  after: Guards;
}

/**
 * What a registration changed of what is protected: in a version that was known, or by a new version that lacks something
 * that the newest one before it has. A workflow's first version changes nothing.
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
