import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";

const css = readFileSync(fileURLToPath(new URL("../../app/globals.css", import.meta.url)), "utf8");

function tokensOf(selector: string): Record<string, string> {
  const start = css.indexOf(`${selector} {`);
  const block = css.slice(start, css.indexOf("}", start));
  return Object.fromEntries([...block.matchAll(/--([\w-]+): (#[0-9a-f]{6});/g)].map(([, name, hex]) => [name, hex]));
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
];

describe.each([
  ["light", tokensOf(":root")],
  ["dark", { ...tokensOf(":root"), ...tokensOf('[data-theme="dark"]') }],
])("%s theme", (_, tokens) => {
  it.each(pairs)("%s can be read on %s (WCAG AA, 4.5 : 1)", (text, surface) => {
    expect(contrast(tokens[text] ?? "", tokens[surface] ?? "")).toBeGreaterThanOrEqual(4.5);
  });

  it.each(["bg", "panel", "sunken"])("the edge of a field stands out on %s (3 : 1)", (surface) => {
    expect(contrast(tokens.field ?? "", tokens[surface] ?? "")).toBeGreaterThanOrEqual(3);
  });
});
