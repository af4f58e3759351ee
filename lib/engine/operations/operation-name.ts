// Apart from the rules of operations: these take digests, which no browser has by this name.

/** The built-in workflow whose runs carry plans out. Lists of the app's runs leave it out unless it is asked for. */
export const OPERATION_WORKFLOW = "handrail.operation";
