import { parseAsString, parseAsStringLiteral } from "nuqs/server";

/**
 * The URL parameters of a comparison: the other run (without one, the best to compare with), and which steps are shown.
 */
export const compareUrl = {
  with: parseAsString,
  show: parseAsStringLiteral(["differences", "all"] as const).withDefault("differences"),
};
