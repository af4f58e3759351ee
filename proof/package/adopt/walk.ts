import { chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { type Path, Scene, type Shared } from "./scene";

export interface Walked {
  path: Path;
  passed: number;
  failures: string[];
  seconds: number;
}

/**
 * Walks a path in a separate folder, far from this repository, and leaves nothing.
 * @param interrupted rejects when it is to end at once
 */
export async function walk(
  one: Path,
  shared: Shared,
  say: (line: string) => void,
  interrupted = new Promise<never>(() => undefined),
): Promise<Walked> {
  const folder = await mkdtemp(path.join(tmpdir(), `handrail-adopt-${one.name}-`));
  await chmod(folder, 0o755);
  const scene = new Scene(one.name, folder, shared, say);
  const began = performance.now();
  say(`${one.name}: ${one.does}`);
  await Promise.race([one.walk(scene), interrupted]).catch((error: Error) => {
    // A check that failed is noted already.
    if (scene.failures.length === 0) scene.failures.push(error.stack ?? error.message);
  });
  const seconds = Math.round((performance.now() - began) / 1_000);
  await scene.end().catch((error: Error) => scene.failures.push(`What it has started did not end: ${error.message}`));
  await rm(folder, { recursive: true, force: true });
  return { path: one, passed: scene.passed, failures: scene.failures, seconds };
}

/** As Markdown, ready to be pasted into docs/package.md. */
export function tableOf(walked: readonly Walked[]): string[] {
  const rows = walked.map(
    ({ path: { name, does }, passed, failures, seconds }) =>
      `| \`${name}\` | ${does} | ${passed} | ${failures.length} | ${seconds} |`,
  );
  return ["| path | from an empty folder | passed | failed | s |", "| --- | --- | --: | --: | --: |", ...rows];
}
