/** What `import … from "handrail/testing"` gives. */
export type { TestRun, TestStep } from "./read-run";
export { type Replay, type RunRecording, replayRun } from "./replay-run";
export { TestEngine, type TestEngineOptions } from "./test-engine";
