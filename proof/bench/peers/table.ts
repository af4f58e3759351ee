import type { Figures } from "./measures";
import type { Engine } from "./peer";

/** In Markdown: a row a figure, a column an engine. */
export function table(engines: readonly Engine[], figuresOf: (engine: Engine) => Figures): string {
  const columns = engines.map((engine) => ({
    title: `${engine.name} ${engine.version}`.trim(),
    figures: figuresOf(engine),
  }));
  const names = [...new Set(columns.flatMap(({ figures }) => Object.keys(figures)))];
  const rows = names.map((name) => [name, ...columns.map(({ figures }) => text(figures[name]))]);
  const line = (cells: readonly string[]) => `| ${cells.join(" | ")} |\n`;
  return [["", ...columns.map(({ title }) => title)], columns.map(() => "---").concat("---"), ...rows]
    .map(line)
    .join("");
}

function text(value: number | undefined): string {
  if (value === undefined) return "–";
  if (value >= 100) return Math.round(value).toLocaleString("en");
  return `${Number(value.toPrecision(2))}`;
}
