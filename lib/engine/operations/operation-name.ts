// Separate from the rules of operations: these use node's digests, which browsers lack.

/** The built-in workflow whose runs execute plans. Lists of the app's runs omit it unless it is requested. */
export const OPERATION_WORKFLOW = "handrail.operation";
