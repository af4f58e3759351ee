import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";

const css = readFileSync(fileURLToPath(new URL("../../../app/globals.css", import.meta.url)), "utf8");

type Scheme = "light" | "dark";

/** What a block of the sheet sets, under the scheme that is on. */
function tokensOf(selector: string, scheme: Scheme): Record<string, string> {
  const start = css.indexOf(`${selector} {`);
  const block = css.slice(start, css.indexOf("}", start));
  const colour = /--([\w-]+): (?:light-dark\((#[0-9a-f]{6}), (#[0-9a-f]{6})\)|(#[0-9a-f]{6}));/g;
  return Object.fromEntries(
    [...block.matchAll(colour)].map(([, name, light, dark, one]) => [name, one ?? (scheme === "light" ? light : dark)]),
  );
}

function luminance(hex: string): number {
  const [r, g, b] = [1, 3, 5]
    .map((at) => Number.parseInt(hex.slice(at, at + 2), 16) / 255)
    .map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4)) as [number, number, number];
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

function contrast(one: string, other: string): number {
  const [light, dark] = [luminance(one), luminance(other)].sort((a, b) => b - a) as [number, number];
  return (light + 0.05) / (dark + 0.05);
}

const TEXT = ["ink", "ink-2", "ink-3", "accent", "red", "amber", "blue", "violet", "green"];
const SURFACES = ["bg", "panel", "sunken", "gray-soft", "accent-soft"];
const TINTS = ["red", "amber", "blue", "violet", "green"];

const pairs: [text: string, surface: string][] = [
  ...TEXT.flatMap((text) => SURFACES.map((surface): [string, string] => [text, surface])),
  ...TINTS.flatMap((tint) =>
    [tint, "ink", "ink-2", "ink-3", "accent"].map((text): [string, string] => [text, `${tint}-soft`]),
  ),
  ["on-accent", "accent"],
  ["on-accent", "accent-strong"],
  ["on-red", "red"],
  ["on-chosen", "chosen"],
];

const LIGHT = tokensOf(":root", "light");
const DARK = { ...tokensOf(":root", "dark"), ...tokensOf('[data-theme="dark"]', "dark") };
const MORE = '[data-contrast="more"]';

describe.each([
  ["light", LIGHT, 4.5],
  ["dark", DARK, 4.5],
  ["light, with more contrast", { ...LIGHT, ...tokensOf(MORE, "light") }, 7],
  ["dark, with more contrast", { ...DARK, ...tokensOf(MORE, "dark") }, 7],
])("%s", (_, tokens, least) => {
  it.each(pairs)("%s can be read on %s (WCAG)", (text, surface) => {
    expect(contrast(tokens[text] ?? "", tokens[surface] ?? "")).toBeGreaterThanOrEqual(least);
  });

  it.each(["bg", "panel", "sunken"])("the edge of a field has contrast on %s (3 : 1)", (surface) => {
    expect(contrast(tokens.field ?? "", tokens[surface] ?? "")).toBeGreaterThanOrEqual(3);
  });
});

it("with more contrast every line is seen (3 : 1)", () => {
  for (const scheme of ["light", "dark"] as const) {
    const tokens = tokensOf(MORE, scheme);
    expect(contrast(tokens.line ?? "", tokens.panel ?? "")).toBeGreaterThanOrEqual(3);
  }
});
