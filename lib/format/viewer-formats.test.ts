import { afterEach, describe, expect, it } from "vitest";
import { formatBytes, formatCount, formatDuration } from "../format";
import { BRITISH_NUMBERS, findNumberStyle, formatMoney, formatNumber, formatPercent } from "./numbers";
import { BRITISH, viewerFormats } from "./viewer-formats";

afterEach(() => findNumberStyle(() => BRITISH_NUMBERS));

const asIn = (languages: string) => {
  const { numbers } = viewerFormats(languages);
  findNumberStyle(() => numbers);
};

describe("numbers", () => {
  it.each([
    ["en-GB", "1,234", "1,234,567.5", "1.9 s", "2.3%", "€1,290.05"],
    ["de-DE", "1.234", "1.234.567,5", "1,9 s", "2,3 %", "1.290,05 €"],
    ["es-ES", "1234", "1.234.567,5", "1,9 s", "2,3 %", "1290,05 €"],
    ["hi-IN", "1,234", "12,34,567.5", "1.9 s", "2.3%", "€1,290.05"],
    ["tr-TR", "1.234", "1.234.567,5", "1,9 s", "%2,3", "€1.290,05"],
    ["ar-EG", "1,234", "1,234,567.5", "1.9 s", "2.3%", "1,290.05 €"],
  ])("of %s", (language, count, number, duration, percent, money) => {
    asIn(language);
    const written = [
      formatCount(1_234),
      formatNumber(1_234_567.5),
      formatDuration(1_940),
      formatPercent(0.0234),
      formatMoney(129_005),
    ];
    expect(written.map((text) => text.replaceAll(/\s/g, " "))).toEqual([count, number, duration, percent, money]);
  });

  it("are written out to the end, without a sign before nothing", () => {
    expect(formatNumber(0)).toBe("0");
    expect(formatNumber(-0.0001)).toBe("0");
    expect(formatNumber(-1_234.5)).toBe("-1,234.5");
    expect(formatNumber(999.96, 1)).toBe("1,000");
    expect(formatCount(1_000_000, 10_000)).toBe("10,000+");
    expect(formatMoney(-5)).toBe("€-0.05");
    expect(formatMoney(500, "USD")).toBe("$5.00");
    expect(formatMoney(500, "SEK")).toBe("SEK\u00a05.00");
    asIn("fr");
    expect(formatBytes(1_234_567)).toBe("1,2 MB");
  });
});

describe("the viewer's formats", () => {
  it("are those of the language that the browser wants most", () => {
    expect(viewerFormats("en-US,en;q=0.9").times).toEqual({ hours: 12, order: "month day year" });
    expect(viewerFormats("en;q=0.1, de;q=0.5").numbers.decimal).toBe(",");
    expect(viewerFormats("sv-SE").times).toEqual({ hours: 24, order: "year month day" });
  });

  it("are as its language is known, whatever digits and years that has otherwise", () => {
    expect(viewerFormats("fa-IR-u-ca-persian-nu-arabext").times.order).toBe("year month day");
    expect(viewerFormats("th-TH-u-ca-buddhist").times.order).toBe("day month year");
  });

  it("are British where nothing is said that makes sense", () => {
    for (const header of [null, "", "*", "zz", "de;q=0", "<script>,;;q=,", ",".repeat(9_000)])
      expect(viewerFormats(header), String(header).slice(0, 20)).toEqual(BRITISH);
    expect(viewerFormats("en-GB")).toEqual(BRITISH);
  });
});
