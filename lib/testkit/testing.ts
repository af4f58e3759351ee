/** What `import … from "handrail/testing"` gives. */
export type { TestRun, TestStep } from "./read-run";
export { type Replay, type RunRecording, replayRun } from "./replay-run";
export { createTestDatabase, type TestDatabase } from "./test-database";
export { TestEngine, type TestEngineOptions } from "./test-engine";
