import { blocksOf } from "../../lib/testing/doc-snippets";

/** In the order of the page. */
const FILES = [
  "tables.sql",
  "workflows/newsletter-signup.ts",
  "handrail.config.ts",
  "sign-up.ts",
  "try.ts",
  "workflows/newsletter-signup.test.ts",
];

/** The blocks of the page that are files of its app. */
export function filesOfTutorial(): { name: string; text: string }[] {
  const blocks = blocksOf("tutorial.md", "(?:ts|sql)");
  const files = blocks.map((text) => ({ text, name: /^(?:\/\/|--) (\S+)\n/.exec(text)?.[1] ?? "" }));
  const names = files.map(({ name }) => name).join(" ");
  if (names !== FILES.join(" ")) throw new Error(`The blocks of docs/tutorial.md are the files ${names}.`);
  return files;
}
