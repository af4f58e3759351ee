import { z } from "zod";
import { plainText } from "./requests";

/** Fields of a step's question and of its outcome. */
export const compensation = {
  /** How it is compensated: by its worker, which gets the step's name, or by a person, following the instructions. */
  compensate: z.enum(["automatic", "manual"]).optional(),
  instructions: plainText.min(1).max(4_000).optional(),
};
type DeclaredCompensation = { compensate?: "automatic" | "manual" | undefined; instructions?: string | undefined };

export const instructionsAreManual = ({ compensate, instructions }: DeclaredCompensation): boolean =>
  instructions === undefined || compensate === "manual";
export const INSTRUCTIONS_ARE_MANUAL = {
  error: 'Instructions are for a manual compensation: add compensate: "manual".',
  path: ["instructions"],
};
