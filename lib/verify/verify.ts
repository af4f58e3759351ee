/** What `import … from "handrail/verify"` gives. */
export { defineVerification, type Verification } from "./define-verification";
export type { Fault } from "./faults";
export type { VerifyOptions, WorldOptions } from "./options";
export {
  type Asked,
  assertRetrySafe,
  type Finding,
  type FindingKind,
  formatReport,
  isRetrySafe,
  matchers,
  type TrialResult,
  type VerifyReport,
} from "./report";
export type { World } from "./trial";
export { verifyWorkflow } from "./verify-workflow";
