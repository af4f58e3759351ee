import { z } from "zod";

const name = z.string().regex(/^[\x21-\x7e]{1,200}$/);

/** How platforms name the commit that they run. */
const COMMITS = ["RENDER_GIT_COMMIT", "RAILWAY_GIT_COMMIT_SHA", "VERCEL_GIT_COMMIT_SHA", "HEROKU_SLUG_COMMIT"];

export const build = z.object({
  HANDRAIL_BUILD: name
    .optional()
    .describe(
      "the commit or the version of your code without spaces, such as HANDRAIL_BUILD=$(git rev-parse HEAD), or be left out where " +
        "the platform says it",
    ),
});

/** Null: unknown. */
export const buildOf = (given: string | undefined, source: NodeJS.ProcessEnv): string | null =>
  given ?? COMMITS.map((variable) => source[variable]).find((text) => name.safeParse(text).success) ?? null;
