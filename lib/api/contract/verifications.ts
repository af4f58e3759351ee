import { z } from "zod";
import { MAX_DEPLOY_NAME } from "../../engine/deploys/deploy";
import { MAX_VERIFIED, MAX_VERIFIED_TEXT } from "../../engine/workflows/verified";
import { plainText } from "./requests";
import { instant } from "./values";

const text = plainText.max(MAX_VERIFIED_TEXT);
const many = <Item extends z.ZodType>(item: Item) => z.array(item).max(MAX_VERIFIED);
const line = text.nullable();

const published = {
  version: z.int().min(1).max(2_147_483_647),
  commit: plainText.trim().min(1).max(MAX_DEPLOY_NAME).nullable().default(null),
  /** Runs with a fault, and the run without faults. */
  trials: z.int().min(0).max(1_000_000),
  /** Those that showed no finding. */
  passed: z.int().min(0).max(1_000_000),
  /** In the order in which the run without faults reached them. */
  steps: many(text),
  findings: many(
    z.strictObject({ kind: text, step: text.nullable(), seen: text, todo: text, line, faults: many(text) }),
  ),
  /** Steps whose lost outcome a person resolves, as declared. */
  asked: many(z.strictObject({ step: text, why: text, line })),
};

export const verificationRequest = z
  .strictObject(published)
  .refine(({ trials, passed }) => passed <= trials, { error: "More trials passed than there were.", path: ["passed"] })
  .meta({ id: "VerificationRequest" });

export const verificationSchema = z
  .object({ ...published, verifiedAt: instant, by: z.string() })
  .meta({ id: "Verification" });

export const verificationListResponse = z
  .object({
    workflow: z.string(),
    /** The latest one of each version, newest version first; 20 at most. */
    verifications: z.array(verificationSchema),
    updatedAt: instant,
  })
  .meta({ id: "VerificationListResponse" });

export type Verification = z.infer<typeof verificationSchema>;
export type VerificationRequest = z.input<typeof verificationRequest>;
