/** The database schema that has everything of Handrail, unless HANDRAIL_SCHEMA names another. */
export const USUAL_SCHEMA = "handrail";

/** Those of PostgreSQL, of the app and of the demo. */
const NOT_OURS = /^(pg_.*|information_schema|public|demo)$/;

/** Completes "HANDRAIL_SCHEMA must be …". */
export const SCHEMA_RULE =
  "a name of 1 to 50 letters, digits, spaces, _ and - that begins with a letter or _, and is not public, demo or one of PostgreSQL's own, " +
  "such as HANDRAIL_SCHEMA=workflows";

/** Whether Handrail's schema may be named so. */
export const isSchemaName = (name: string): boolean => /^[A-Za-z_][\w -]{0,49}$/.test(name) && !NOT_OURS.test(name);
