/** How a deploy is known. One that a worker found by the versions of its workflows alone has no name. */
export interface DeployNames {
  version: string | null;
  commit: string | null;
  /** What a worker calls it: a commit or a version, as its process is told. */
  build: string | null;
}

/** Versions of workflows that came with a deploy. */
export type NewVersions = Record<string, readonly number[]>;

/** Of each name, in characters. */
export const MAX_DEPLOY_NAME = 200;
export const MAX_DEPLOY_URL = 2_000;
/** As long as the charts go back. */
export const DEPLOYS_KEPT_DAYS = 400;
/** More are deleted sooner, oldest first. */
export const MOST_DEPLOYS = 10_000;

/** Git's own shortest form of a commit: shorter beginnings do not identify one. */
const SHORT_COMMIT = 7;

const namesOf = ({ commit, build, version }: DeployNames): string[] =>
  [commit, build, version].filter((name) => name !== null);

const isCommit = (name: string): boolean => /^[0-9a-f]{7,64}$/.test(name);

const isSame = (one: string, other: string): boolean =>
  one === other || (isCommit(one) && isCommit(other) && (one.startsWith(other) || other.startsWith(one)));

/**
 * Whether both mean the same deploy: a pipeline that names a version and a commit, and workers that know one of them.
 * Two without a name are never the same.
 */
export function isSameDeploy(one: DeployNames, other: DeployNames): boolean {
  if (one.commit !== null && other.commit !== null && !isSame(one.commit, other.commit)) return false;
  return namesOf(one).some((name) => namesOf(other).some((known) => isSame(name, known)));
}

/** A few characters for a chart: `9f3c2d1`, `1.4.0`, or `order-fulfilment v4 and 2 more`. */
export function deployName({ version, commit, build, workflows }: DeployNames & { workflows: NewVersions }): string {
  const [name] = [commit, build, version].filter((name) => name !== null);
  if (name !== undefined) return isCommit(name) ? name.slice(0, SHORT_COMMIT) : name;
  const all = Object.entries(workflows).flatMap(([workflow, versions]) => versions.map((one) => `${workflow} v${one}`));
  return all.length < 2 ? (all[0] ?? "") : `${all[0]} and ${all.length - 1} more`;
}
