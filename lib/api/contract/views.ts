import { z } from "zod";
import { MAX_VIEW_NAME, MAX_VIEW_PART, MAX_VIEW_PARTS } from "../../engine/runs/saved-view";
import { plainText } from "./requests";
import { instant } from "./values";

/** Parts of the address of the runs page, such as `status`, `q`, `cols`: names with their texts. */
const state = z
  .record(z.string().regex(/^[A-Za-z][\w.-]{0,63}$/), plainText.max(MAX_VIEW_PART))
  .refine((parts) => Object.keys(parts).length <= MAX_VIEW_PARTS, {
    error: `A view has ${MAX_VIEW_PARTS} parts at most.`,
  });

const given = {
  name: plainText.trim().min(1, "Give the view a name.").max(MAX_VIEW_NAME),
  /** Whether the team sees it. Requires `view.share`. */
  shared: z.boolean(),
  state,
};

export const viewRequest = z.strictObject(given).meta({ id: "ViewRequest" });

/** The revision that you saw: refused (409 changed) when it has changed since. */
const seen = z.int().min(1);

export const viewChangeRequest = z.strictObject({ ...given, revision: seen }).meta({ id: "ViewChangeRequest" });

export const viewDeletionRequest = z.strictObject({ revision: seen }).meta({ id: "ViewDeletionRequest" });

export const savedViewSchema = z
  .object({
    id: z.uuid(),
    name: z.string(),
    /** Who saved it first. */
    owner: z.string(),
    mine: z.boolean(),
    shared: z.boolean(),
    /** Whether the caller may change or delete it. */
    mayChange: z.boolean(),
    state: z.record(z.string(), z.string()),
    revision: z.int(),
    updatedAt: instant,
    updatedBy: z.string(),
  })
  .meta({ id: "SavedView" });

export const viewListResponse = z.object({ views: z.array(savedViewSchema) }).meta({ id: "ViewListResponse" });

export type SavedView = z.infer<typeof savedViewSchema>;
export type ViewListResponse = z.infer<typeof viewListResponse>;
export type ViewRequest = z.infer<typeof viewRequest>;
export type ViewChangeRequest = z.infer<typeof viewChangeRequest>;
