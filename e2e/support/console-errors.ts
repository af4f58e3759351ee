import { type BrowserContext, test as base, expect, type Page } from "@playwright/test";
import { type Hands, handsOf, type Way } from "./hands";
import { type Person, stateOf } from "./people";

export { expect };

interface ConsoleErrors {
  /** What this test provokes, such as the browser's own line about a 409: `test.use({ expectedErrors: /409/ })`. */
  expectedErrors: RegExp | null;
  noConsoleErrors: undefined;
}

interface Doing {
  /** With what `hands` do what they do: see job.ts. */
  way: Way;
  hands: Hands;
}

interface People {
  /** The user that `page` is signed in as; null: not signed in. */
  person: Person | null;
  /** A page of another person's, in a separate browser. */
  as: (person: Person) => Promise<Page>;
}

/** Playwright's `test`, signed in as the operator; also fails when the page logs an error or throws an uncaught one. */
export const test = base.extend<ConsoleErrors & Doing & People>({
  expectedErrors: [null, { option: true }],
  person: ["operator", { option: true }],
  way: ["mouse", { option: true }],
  hands: ({ page, way }, use) => use(handsOf(page, way)),
  storageState: async ({ person }, use) => use(person === null ? undefined : await stateOf(person)),
  as: async ({ browser }, use) => {
    const contexts: BrowserContext[] = [];
    await use(async (person) => {
      const context = await browser.newContext({ storageState: await stateOf(person) });
      contexts.push(context);
      return context.newPage();
    });
    await Promise.all(contexts.map((context) => context.close()));
  },
  noConsoleErrors: [
    async ({ page, expectedErrors }, use) => {
      const errors: string[] = [];
      page.on("console", (message) => {
        if (message.type() === "error") errors.push(`${message.text()} (${message.location().url})`);
      });
      // Without a file of origin it is axe, which a test evaluates in the page.
      await page.addInitScript(() =>
        document.addEventListener("securitypolicyviolation", ({ effectiveDirective, blockedURI, sourceFile }) => {
          if (sourceFile) console.error(`Against the page's policy: ${effectiveDirective} ${blockedURI} ${sourceFile}`);
        }),
      );
      page.on("pageerror", (error) => errors.push(error.stack ?? error.message));
      await use(undefined);
      const unexpected = errors.filter((error) => !expectedErrors?.test(error));
      expect(unexpected, "errors in the browser's console").toEqual([]);
    },
    { auto: true },
  ],
});
