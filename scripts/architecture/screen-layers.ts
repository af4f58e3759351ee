import { type Layer, OWN_FOLDER } from "./layer";

/** What screens may import: what a browser loads, and of each other from left to right. */
const BROWSER = [
  "lib/engine/",
  "lib/actions/",
  "lib/api/contract",
  "lib/api/client/",
  "lib/api/hooks",
  "lib/filters/",
  "lib/format",
  "lib/class-names",
];

/** ui → parts → domain → pages: an arrow never runs left. */
export const screens: Layer[] = [
  {
    path: "components/ui/",
    mayImport: ["components/ui/", "lib/class-names"],
    why: "Primitives know no domain, so that any screen can use them.",
  },
  {
    path: "components/parts/",
    mayImport: ["components/ui/", "components/parts/", ...BROWSER],
    why: "A part serves any noun of the domain, so it names none.",
  },
  {
    path: "components/domain/",
    mayImport: ["components/ui/", "components/parts/", "components/domain/", ...BROWSER],
    why: "What several pages show of a noun knows none of the pages.",
  },
  {
    path: "components/pages/",
    mayImport: ["components/ui/", "components/parts/", "components/domain/", OWN_FOLDER, ...BROWSER],
    why: "A page is the end of its arrows: what a second page needs, too, moves to the noun in components/domain.",
  },
  {
    path: "components/testing/",
    mayImport: ["components/testing/", ...BROWSER],
    why: "Examples for the tests of components are plain values.",
  },
  {
    path: "app/",
    mayImport: [
      "app/",
      "components/",
      "lib/server",
      "lib/api/",
      "lib/engine/",
      "lib/filters/",
      "lib/format",
      "lib/class-names",
    ],
    why: "A page is an outline: it reads through lib/server and lib/api, and holds no rule and no SQL.",
  },
];
