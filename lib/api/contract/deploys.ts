import { z } from "zod";
import { MAX_DEPLOY_NAME } from "../../engine/deploys/deploy";
import { link, list, page, plainText, reason } from "./requests";
import { instant } from "./values";

export const deploySchema = z
  .object({
    id: z.string(),
    at: instant,
    /** For people: the short commit, the build or the version; without them, the workflows' versions. */
    name: z.string(),
    version: z.string().nullable(),
    commit: z.string().nullable(),
    /** What workers call it. */
    build: z.string().nullable(),
    url: z.string().nullable(),
    /** Who marked it; null: workers registered with it. */
    by: z.string().nullable(),
    /** Versions of workflows that came with it, of those that the caller may see. */
    workflows: z.array(z.object({ workflow: z.string(), versions: z.array(z.int()) })),
  })
  .meta({ id: "Deploy" });

const name = plainText.trim().min(1).max(MAX_DEPLOY_NAME).nullable().default(null);

/** A version, a commit, or both. */
export const deployRequest = z
  .strictObject({
    version: name,
    commit: name,
    /** A page about it, such as the pipeline's. */
    url: link.nullable().default(null),
    /** Default: now. */
    at: instant.optional(),
    reason: reason.optional(),
  })
  .refine(({ version, commit }) => version !== null || commit !== null, {
    error: "Give a version, a commit, or both.",
    path: ["version"],
  })
  .meta({ id: "DeployRequest" });

export const deployListQuery = z.strictObject({
  /** Only deploys with a name, and those that brought a version of one of these. */
  workflow: list(plainText.min(1).max(200)).optional(),
  ...page,
});

export const deployListResponse = z
  .object({ deploys: z.array(deploySchema), nextCursor: z.string().nullable(), updatedAt: instant })
  .meta({ id: "DeployListResponse" });

export const versionChangesQuery = z.strictObject({
  /** Default: the version before `to`. */
  from: z.coerce.number().int().min(1).max(2_147_483_647).optional(),
  /** Default: the newest. */
  to: z.coerce.number().int().min(1).max(2_147_483_647).optional(),
});

const optionChange = z.object({
  option: z.string(),
  /** Null: it was not declared. */
  before: z.string().nullable(),
  after: z.string().nullable(),
});
const compared = z.object({
  version: z.int(),
  /** The runs whose steps were read, 50 at most: the last that this version alone executed. */
  runs: z.int(),
});

export const versionChangesResponse = z
  .object({
    workflow: z.string(),
    /** Registered ones, newest first; 200 at most. */
    versions: z.array(z.object({ version: z.int(), registeredAt: instant })),
    /** Null: there is no earlier version. */
    changes: z
      .object({
        from: compared,
        to: compared,
        /** Limits, retention, masked fields, second persons, events, fields of the input. */
        declared: z.array(optionChange),
        /** Null: one of the two has no run yet that shows its steps. */
        steps: z
          .array(
            z.object({
              /** Without the numbers of a loop. */
              step: z.string(),
              change: z.enum(["added", "removed", "changed"]),
              options: z.array(optionChange),
            }),
          )
          .nullable(),
      })
      .nullable(),
  })
  .meta({ id: "VersionChanges" });

export type VersionChanges = z.infer<typeof versionChangesResponse>;
export type Deploy = z.infer<typeof deploySchema>;
