import { type Sample, totalBytes } from "../sample";
import { place, scaleOf, shortNumber } from "./scale";

/** One of the small multiples: lines over the time of the soak. */
interface Panel {
  title: string;
  lines: Line[];
}

interface Line {
  name: string;
  points: { at: number; value: number }[];
}

const WIDTH = 960;
const COLUMNS = 2;
const MARGIN = { left: 56, right: 20, top: 40, bottom: 30 };
const PLOT = { width: WIDTH / COLUMNS - MARGIN.left - MARGIN.right, height: 120 };
const CELL = { width: WIDTH / COLUMNS, height: MARGIN.top + PLOT.height + MARGIN.bottom };

const STYLE = `
  svg { background: #fff; color: #1f2328; font: 12px system-ui, sans-serif }
  text { fill: currentColor } .quiet { fill: #59636e } .grid { stroke: #d1d9e0 } .third { fill: #f3f5f7 }
  .line { fill: none; stroke-width: 1.5; stroke-linejoin: round } .deploy { stroke: #9a6700; stroke-dasharray: 2 3 }
  .c0 { stroke: #0969da } .c1 { stroke: #bc4c00 } .t0 { fill: #0969da } .t1 { fill: #bc4c00 }
  @media (prefers-color-scheme: dark) {
    svg { background: #0d1117; color: #e6edf3 } .quiet { fill: #9198a1 } .grid { stroke: #3d444d } .third { fill: #161b22 }
    .deploy { stroke: #d29922 } .c0 { stroke: #58a6ff } .c1 { stroke: #f0883e } .t0 { fill: #58a6ff } .t1 { fill: #f0883e }
  }`;

/** A soak as one SVG, in the colours that the reader's system asks for. */
export function chartOf(samples: readonly Sample[]): string {
  const panels = panelsOf(samples);
  const height = Math.ceil(panels.length / COLUMNS) * CELL.height;
  const seconds = samples.at(-1)?.at ?? 0;
  const drawn = panels.map((panel, place) => {
    const [x, y] = [
      (place % COLUMNS) * CELL.width + MARGIN.left,
      Math.floor(place / COLUMNS) * CELL.height + MARGIN.top,
    ];
    return `<g transform="translate(${x} ${y})">${panelSvg(panel, seconds, deploysOf(samples))}</g>`;
  });
  const open = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" role="img" aria-label="A soak over time">`;
  return `${open}<style>${STYLE}</style>\n${drawn.join("\n")}\n</svg>\n`;
}

function panelsOf(samples: readonly Sample[]): Panel[] {
  const line = (name: string, of: (sample: Sample) => number | null, drawn = samples): Line => ({
    name,
    points: drawn.flatMap((sample) => {
      const value = of(sample);
      return value === null ? [] : [{ at: sample.at, value }];
    }),
  });
  // Not the first minute of an hour: its queue and its flushes are those of the measured maximum, too, and nothing else would be seen.
  const later = samples.filter(({ at }) => at > (samples.at(-1)?.at ?? 0) / 60);
  const largest = ({ workers }: Sample) => (workers.length === 0 ? null : Math.max(...workers.map(({ mb }) => mb)));
  return [
    { title: "A second", lines: [line("steps", (s) => s.stepsASecond), line("runs", (s) => s.runsASecond)] },
    {
      title: "Flushes, ms",
      lines: [line("99th percentile", (s) => s.flushP99, later), line("median", (s) => s.flushP50, later)],
    },
    {
      title: "Tables and indexes, MB",
      lines: [line("all", (s) => totalBytes(s) / 1_048_576), line("step", (s) => (s.bytes.step ?? 0) / 1_048_576)],
    },
    { title: "Dead tuples", lines: [line("all tables", (s) => s.deadTuples)] },
    { title: "Memory, MB", lines: [line("largest worker", largest), line("console", (s) => s.consoleMb)] },
    { title: "Ready runs that no worker has", lines: [line("runs", (s) => s.backlog, later)] },
    { title: "WAL, MB a second", lines: [line("WAL", (s) => s.walBytesASecond / 1_048_576)] },
    { title: "Requests of readers, ms", lines: [line("95th percentile", (s) => s.readsP95)] },
  ].filter(({ lines }) => lines.some(({ points }) => points.length > 0));
}

/** Seconds. */
const deploysOf = (samples: readonly Sample[]): number[] =>
  samples.filter(({ deploys }, n) => deploys > (samples[n - 1]?.deploys ?? 0)).map(({ at }) => at);

function panelSvg({ title, lines }: Panel, seconds: number, deploys: readonly number[]): string {
  const shown = lines.filter(({ points }) => points.length > 0);
  const { max, ticks } = scaleOf(shown.flatMap(({ points }) => points.map(({ value }) => value)));
  const x = (at: number) => place(at, seconds, PLOT.width).toFixed(1);
  const y = (value: number) => (PLOT.height - place(value, max, PLOT.height)).toFixed(1);
  const third = PLOT.width / 3;
  const rows = ticks.map(
    (tick) =>
      `<line class="grid" x1="0" x2="${PLOT.width}" y1="${y(tick)}" y2="${y(tick)}"/>` +
      `<text class="quiet" x="-6" y="${y(tick)}" dy="4" text-anchor="end">${shortNumber(tick)}</text>`,
  );
  const marks = deploys.map((at) => `<line class="deploy" x1="${x(at)}" x2="${x(at)}" y1="0" y2="${PLOT.height}"/>`);
  const paths = shown.map(
    ({ points }, n) =>
      `<polyline class="line c${n}" points="${points.map(({ at, value }) => `${x(at)},${y(value)}`).join(" ")}"/>`,
  );
  const names = shown.map(({ name }, n) => `<tspan class="t${n}" dx="${n === 0 ? 0 : 10}">${name}</tspan>`);
  return [
    `<text y="-20" font-weight="600">${title}</text><text y="-6" font-size="11">${names.join("")}</text>`,
    `<rect class="third" x="${third.toFixed(1)}" width="${third.toFixed(1)}" height="${PLOT.height}"/>`,
    ...rows,
    ...marks,
    ...paths,
    ...["0", timeOf(seconds)].map(
      (text, n) =>
        `<text class="quiet" x="${n * PLOT.width}" y="${PLOT.height + 16}" text-anchor="${n === 0 ? "start" : "end"}">${text}</text>`,
    ),
  ].join("");
}

const timeOf = (seconds: number) => (seconds >= 120 ? `${Math.round(seconds / 60)} min` : `${Math.round(seconds)} s`);
