import { type ClassValue, clsx } from "clsx";
import { extendTailwindMerge } from "tailwind-merge";

// Our own type scale and shadows: unnamed, `text-small` would count as a colour and erase `text-ink-3`.
const merge = extendTailwindMerge({
  extend: {
    classGroups: {
      "font-size": [{ text: ["micro", "small", "body", "title", "headline", "figure", "touch"] }],
      shadow: [{ shadow: ["card", "float"] }],
    },
  },
});

/** Joins class names; of two that set the same property the later one stays. */
export function classNames(...values: ClassValue[]): string {
  return merge(clsx(values));
}
