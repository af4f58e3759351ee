import type { Reporter, TestCase, TestModule } from "vitest/node";

/**
 * Of a run that is stopped from outside: the files that had begun and not ended, and what their tests had come to. Vitest
 * names a file at its end alone, and one that keeps its process busy, or all of whose tests wait for the same lock, may
 * never get there.
 */
export default class NotEnded implements Reporter {
  /** What is known of each, by its module: a line a test that has failed or goes on. */
  private readonly begun = new Map<string, Map<string, string>>();

  onInit(): void {
    process.once("SIGINT", () => {
      for (const [file, tests] of this.begun)
        process.stdout.write([`Not ended: ${file}`, ...tests.values()].join("\n  ").concat("\n"));
      if (this.begun.size === 0) process.stdout.write("Every file had ended: a global setup had not.\n");
    });
  }

  onTestModuleQueued({ moduleId }: TestModule): void {
    this.begun.set(moduleId, new Map());
  }

  onTestCaseReady({ id, fullName, module }: TestCase): void {
    this.begun.get(module.moduleId)?.set(id, `goes on: ${fullName}`);
  }

  onTestCaseResult(test: TestCase): void {
    const tests = this.begun.get(test.module.moduleId);
    const { state, errors = [] } = test.result();
    const why = errors.map(({ message }) => message).join("; ");
    if (state === "failed") tests?.set(test.id, `failed: ${test.fullName}: ${why}`);
    else tests?.delete(test.id);
  }

  onTestModuleEnd({ moduleId }: TestModule): void {
    this.begun.delete(moduleId);
  }
}
