import type { App } from "@/lib/app";
import type { BlobStore } from "@/lib/engine/values/blob-store";

/** Set by scripts/pack/console/server.ts, whose process this is. */
const { handrailBlobs } = globalThis as { handrailBlobs?: BlobStore };

/**
 * In place of the repository's: the packed console has no workflow's code. What workers register is what it shows; the blob store
 * alone comes from the app.
 */
export const loadApp = async (): Promise<App> => ({ workflows: [], ...(handrailBlobs && { blobs: handrailBlobs }) });
