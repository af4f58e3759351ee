import type { Case } from "./case";
import { compensationCases } from "./cases/compensations";
import { leaseCases } from "./cases/leases";
import { refusalCases } from "./cases/refusals";
import { serverCases } from "./cases/servers";
import { stepCases } from "./cases/steps";
import { valueCases } from "./cases/values";
import { waitCases } from "./cases/waits";

/** All of them. */
export const cases: readonly Case[] = [
  ...stepCases,
  ...waitCases,
  ...valueCases,
  ...compensationCases,
  ...leaseCases,
  ...refusalCases,
  ...serverCases,
];
