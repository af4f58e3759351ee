import { parseAsString, parseAsStringLiteral } from "nuqs/server";

/** What the address of a comparison holds: the other run (without one, the best to compare with), and which steps are shown. */
export const compareUrl = {
  with: parseAsString,
  show: parseAsStringLiteral(["differences", "all"] as const).withDefault("differences"),
};
