import { readdirSync, readFileSync } from "node:fs";
import { extendTailwindMerge } from "tailwind-merge";
import { expect, it } from "vitest";
import { classNames } from "./class-names";
import { oneIn } from "./testing/sample";

/** All of Tailwind's classes, with our own type scale and shadows. */
const whole = extendTailwindMerge({
  extend: {
    classGroups: {
      "font-size": [{ text: ["micro", "small", "body", "title", "headline", "figure", "touch"] }],
      shadow: [{ shadow: ["card", "float"] }],
    },
  },
});

/** Every class in the code that Tailwind knows, without the part before its last colon. */
function classesInUse(): string[] {
  const files = ["components", "app"].flatMap((dir) =>
    readdirSync(dir, { recursive: true, encoding: "utf8" })
      .filter((file) => file.endsWith(".tsx") && !file.includes(".test."))
      .map((file) => readFileSync(`${dir}/${file}`, "utf8")),
  );
  const texts = files.flatMap((file) => [...file.matchAll(/"([^"\n]*)"|`([^`]*)`/g)].map(([, a, b]) => a ?? b ?? ""));
  const written = texts.flatMap((text) => text.split(/\s+/)).map((word) => word.replace(/^.*:(?![^[(]*[\])])/, ""));
  return [...new Set(written)].filter((word) => word !== "" && whole(`${word} ${word}`) === word);
}

const unlike = (ours: string, theirs: string) => {
  const [a, b] = [ours, theirs].map((text) => new Set(text.split(" "))) as [Set<string>, Set<string>];
  return [...a, ...b].filter((word) => !a.has(word) || !b.has(word));
};

it("lets of classes that set the same the last one stay, as tailwind-merge does, whichever of those in use they are", () => {
  const classes = classesInUse();
  expect(classes.length).toBeGreaterThan(400);
  for (const all of oneIn(2, [classes, classes.toReversed()]))
    for (const last of classes) {
      const written = [...all.filter((one) => one !== last), last].join(" ");
      expect(unlike(classNames(written), whole(written)), `of all in use, before ${last}`).toEqual([]);
    }
});

it("keeps what is set on another occasion", () => {
  expect(classNames("px-4 md:px-5", false, "px-2", { "text-small": true })).toBe("md:px-5 px-2 text-small");
  expect(classNames("text-small text-ink-3", "text-body")).toBe("text-ink-3 text-body");
});
