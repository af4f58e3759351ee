import type { StepOptions } from "../engine/workflows/step-options";
import type { HeldStep } from "../store/workers/hold-run";

/** How a step is compensated, as its worker says with the question and with the outcome. */
export interface DeclaredCompensation {
  /** By a worker, by the step's name; or by a person, following the instructions. */
  compensate?: "automatic" | "manual";
  instructions?: string;
}

/** Placeholder for the worker's own compensation: never called here. */
const ELSEWHERE = () => undefined;

/** The options of a step whose author declared this. */
export const compensationOptions = ({
  compensate,
  instructions,
}: DeclaredCompensation): Pick<StepOptions<unknown>, "compensate" | "instructions"> => ({
  ...(compensate && { compensate: compensate === "manual" ? ("manual" as const) : ELSEWHERE }),
  ...(instructions !== undefined && { instructions }),
});

/** What the question for the step's last attempt declared. */
export const declaredBefore = ({ compensationMode, instructions }: HeldStep): DeclaredCompensation => ({
  ...(compensationMode && { compensate: compensationMode }),
  ...(instructions !== null && { instructions }),
});
