import { type ClassValue, clsx } from "clsx";
import { createTailwindMerge } from "tailwind-merge";

/*
 * The property that each of our classes sets: the complete list of tailwind-merge is three times the rest of it.
 * `class-names.test.ts` compares both on every class in the code, and names what is missing here.
 */

const anything = () => true;
const isNumber = (value: string) => /^\d/.test(value);
/** `[14px]`, and not a colour. */
const isLength = (value: string) => /^\[\.?\d/.test(value);

const words = (text: string) => text.split(" ");

/** The property is the prefix, whatever follows it. */
const BY_PREFIX = words(
  "w h size min-w min-h max-w max-h p px py pt pr pb pl m mx my mt mr mb ml gap gap-x gap-y inset inset-x inset-y " +
    "top right bottom left z order basis opacity leading tracking cursor whitespace bg fill shadow transition duration " +
    "delay ease animate grid-cols grid-rows col-span col-start row-span row-start items content self justify " +
    "justify-items justify-self place-items place-content overflow overflow-x overflow-y align list " +
    "pointer-events touch touch-pan select appearance resize float line-clamp translate-x translate-y rotate scroll-py " +
    "underline-offset outline-offset break-inside break-before",
);

type Group = (string | Record<string, (string | ((value: string) => boolean))[]>)[];

const BY_WORD: Record<string, Group> = {
  display: words("block inline inline-block flex inline-flex grid inline-grid table table-cell contents hidden"),
  position: words("static fixed absolute relative sticky"),
  visibility: words("visible invisible"),
  sr: words("sr-only not-sr-only"),
  "flex-direction": [{ flex: words("row row-reverse col col-reverse") }],
  "flex-wrap": [{ flex: words("wrap nowrap") }],
  flex: [{ flex: [anything] }],
  grow: [{ grow: ["", anything] }],
  shrink: [{ shrink: ["", anything] }],
  "font-size": [{ text: [...words("micro small body title headline figure touch"), isLength] }],
  "text-alignment": [{ text: words("left center right") }],
  "text-wrap": [{ text: words("pretty balance") }],
  "text-color": [{ text: [anything] }],
  "font-weight": [{ font: words("normal medium semibold bold") }],
  "font-family": [{ font: words("sans mono") }],
  "font-style": words("italic not-italic"),
  "fvn-spacing": ["tabular-nums"],
  "text-transform": words("uppercase normal-case"),
  "text-overflow": ["truncate"],
  "text-decoration": words("underline no-underline"),
  break: [{ break: words("normal words all") }],
  "border-w": [{ border: ["", isNumber] }],
  ...Object.fromEntries(
    words("x y t r b l").map((side) => [`border-w-${side}`, [{ [`border-${side}`]: ["", isNumber] }]]),
  ),
  "border-style": [{ border: words("solid dashed dotted") }],
  "border-collapse": [{ border: words("collapse separate") }],
  "border-color": [{ border: [anything] }],
  rounded: [{ rounded: ["", anything] }],
  "rounded-t": [{ "rounded-t": ["", anything] }],
  "rounded-b": [{ "rounded-b": ["", anything] }],
  "outline-style": [{ outline: ["none"] }],
  "outline-w": [{ outline: ["", isNumber] }],
  "outline-color": [{ outline: [anything] }],
  "table-layout": [{ table: words("auto fixed") }],
};

const CLASS_GROUPS: Record<string, Group> = {
  ...Object.fromEntries(BY_PREFIX.map((prefix) => [prefix, [{ [prefix]: [anything] }]])),
  ...BY_WORD,
};

/** What is set along with a property. */
const SET_ALONG: Record<string, string[]> = {
  size: words("w h"),
  p: words("px py pt pr pb pl"),
  px: words("pr pl"),
  py: words("pt pb"),
  m: words("mx my mt mr mb ml"),
  mx: words("mr ml"),
  my: words("mt mb"),
  gap: words("gap-x gap-y"),
  inset: words("inset-x inset-y top right bottom left"),
  "inset-x": words("right left"),
  "inset-y": words("top bottom"),
  overflow: words("overflow-x overflow-y"),
  flex: words("basis grow shrink"),
  "font-size": ["leading"],
  "line-clamp": words("display overflow"),
  rounded: words("rounded-t rounded-b"),
  "border-w": words("border-w-x border-w-y border-w-t border-w-r border-w-b border-w-l"),
  "border-w-x": words("border-w-r border-w-l"),
  "border-w-y": words("border-w-t border-w-b"),
  touch: ["touch-pan"],
  "touch-pan": ["touch"],
};

const merge = createTailwindMerge(() => ({
  cacheSize: 500,
  theme: {},
  classGroups: CLASS_GROUPS,
  conflictingClassGroups: SET_ALONG,
  conflictingClassGroupModifiers: { "font-size": ["leading"] },
  orderSensitiveModifiers: ["*", "**", "before", "after", "placeholder"],
}));

/** Joins class names; of two that set the same property the later one wins. */
export function classNames(...values: ClassValue[]): string {
  return merge(clsx(values));
}
