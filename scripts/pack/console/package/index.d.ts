/**
 * The path of the console's program, for `node`. It reads the same environment as `handrail console`, which starts it:
 * DATABASE_URL, PORT, HOST, HANDRAIL_*. The database has to be migrated. SIGTERM ends it with 0.
 */
export declare const server: string;

/** The folder with the programs of `handrail demo`: sandbox, worker and seed, which the console does not load. */
export declare const demo: string;
