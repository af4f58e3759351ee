import { expect, it } from "vitest";
import { placeOf } from "./plot-marks";

it.each([
  ["right of its line", { x: 100, from: 0, end: 200 }, 103],
  ["left of it, at the end of the chart", { x: 180, from: 0, end: 200 }, 137],
  ["left of it, where the next line follows at once", { x: 100, from: 0, end: 120 }, 57],
  ["nowhere between two lines, where it could be read as the name of either", { x: 100, from: 80, end: 120 }, null],
])("a mark has its name %s", (_, room, left) => expect(placeOf({ ...room, width: 40, gap: 3 })).toBe(left));
