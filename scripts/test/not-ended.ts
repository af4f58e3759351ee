import type { Reporter, TestModule } from "vitest/node";

/**
 * Of a run that is stopped from outside: the files that had begun and not ended. Vitest names a file at its end alone, and
 * one that keeps its process busy, or waits outside of any test, never gets there.
 */
export default class NotEnded implements Reporter {
  private readonly begun = new Set<string>();

  onInit(): void {
    process.once("SIGINT", () => {
      for (const file of this.begun) process.stdout.write(`Not ended: ${file}\n`);
      if (this.begun.size === 0) process.stdout.write("Every file had ended: a global setup had not.\n");
    });
  }

  onTestModuleQueued({ moduleId }: TestModule): void {
    this.begun.add(moduleId);
  }

  onTestModuleEnd({ moduleId }: TestModule): void {
    this.begun.delete(moduleId);
  }
}
