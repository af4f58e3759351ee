import { test as base, expect } from "@playwright/test";

export { expect };

interface ConsoleErrors {
  /** What this test provokes, such as the browser's own line about a 409: `test.use({ expectedErrors: /409/ })`. */
  expectedErrors: RegExp | null;
  noConsoleErrors: undefined;
}

/** Playwright's `test`, which also fails when the page logs an error or throws one that nobody catches. */
export const test = base.extend<ConsoleErrors>({
  expectedErrors: [null, { option: true }],
  noConsoleErrors: [
    async ({ page, expectedErrors }, use) => {
      const errors: string[] = [];
      page.on("console", (message) => {
        if (message.type() === "error") errors.push(`${message.text()} (${message.location().url})`);
      });
      page.on("pageerror", (error) => errors.push(error.stack ?? error.message));
      await use(undefined);
      const unexpected = errors.filter((error) => !expectedErrors?.test(error));
      expect(unexpected, "errors in the browser's console").toEqual([]);
    },
    { auto: true },
  ],
});
