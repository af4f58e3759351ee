import { readFileSync } from "node:fs";

/** The code blocks of a page in docs/, unchanged. */
export function blocksOf(page: string, language: string): string[] {
  const text = readFileSync(new URL(`../../docs/${page}`, import.meta.url), "utf8");
  return [...text.matchAll(new RegExp(`\`\`\`${language}\\n(.*?)\`\`\``, "gs"))].map(([, code]) => code as string);
}

/** The same without whitespace, so that a test can find them in the code that it runs. */
export const snippetsOf = (page: string, language = "ts"): string[] => blocksOf(page, language).map(flat);

/** A file's content, likewise. */
export const fileText = (url: string): string => flat(readFileSync(new URL(url), "utf8"));

const flat = (code: string) => code.replaceAll(/\s+/g, "");
