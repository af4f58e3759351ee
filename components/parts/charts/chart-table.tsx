import type { TimeStyle } from "@/lib/format/times";
import { type ChartData, pointsOf } from "./chart-series";
import { periodText } from "./chart-words";

interface ChartTableProps {
  label: string;
  data: ChartData;
  format: (value: number) => string;
  times: TimeStyle;
}

/** Every value of a chart, for screen readers and for copying. */
export function ChartTable({ label, data, format, times }: ChartTableProps) {
  return (
    // Clipped by a separate box: a table is as large as its content.
    <div className="sr-only">
      <table>
        <caption>{label}</caption>
        <thead>
          <tr>
            <th scope="col">Time</th>
            {data.series.map(({ name }) => (
              <th key={name} scope="col">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {[...Array(pointsOf(data)).keys()].map((index) => (
            <tr key={index}>
              <th scope="row">{periodText(data, index, times)}</th>
              {data.series.map(({ name, values }) => (
                <td key={name}>{values[index] == null ? "–" : format(values[index])}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
