import { readFileSync } from "node:fs";

/** The blocks of code in a page of docs/, as they stand there. */
export function blocksOf(page: string, language: string): string[] {
  const text = readFileSync(new URL(`../../docs/${page}`, import.meta.url), "utf8");
  return [...text.matchAll(new RegExp(`\`\`\`${language}\\n(.*?)\`\`\``, "gs"))].map(([, code]) => code as string);
}

/** Likewise without their spaces, so that a test can look for them in what it runs. */
export const snippetsOf = (page: string, language = "ts"): string[] => blocksOf(page, language).map(flat);

/** What a file says, likewise. */
export const fileText = (url: string): string => flat(readFileSync(new URL(url), "utf8"));

const flat = (code: string) => code.replaceAll(/\s+/g, "");
