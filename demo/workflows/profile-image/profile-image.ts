import { z } from "zod";
import { defineWorkflow } from "../../../lib/engine/workflows/workflow";

/** The first bytes of the formats that are taken. */
const FORMATS = [
  { type: "image/png", extension: "png", magic: [0x89, 0x50, 0x4e, 0x47] },
  { type: "image/jpeg", extension: "jpg", magic: [0xff, 0xd8, 0xff] },
  { type: "image/gif", extension: "gif", magic: [0x47, 0x49, 0x46, 0x38] },
] as const;

const formatOf = (image: Uint8Array) =>
  FORMATS.find(({ magic }) => magic.every((byte, index) => image[index] === byte));

const base64Image = z
  .base64()
  .min(1, "The image is empty.")
  .refine((text) => formatOf(Buffer.from(text, "base64")) !== undefined, {
    error: "Only PNG, JPEG and GIF images are taken.",
  });

/** Stores an image as a blob, then refers to it in the database: never a reference without its blob. */
export const profileImage = defineWorkflow(
  {
    name: "profile-image",
    title: "Profile image",
    input: z.object({ userId: z.string().min(1).max(100), image: base64Image }),
    tags: ({ userId }) => ({ userId }),
    // Uploads of one user run one after the other: the last one wins. Across all users, no more than the blob store
    // allows.
    concurrency: { limit: 1, key: ({ userId }) => userId, total: 20 },
    retry: { initialDelayMs: 500 },
  },
  async (ctx, { userId, image }) => {
    const { blobs } = ctx.services;
    // The run's id makes the key: every attempt writes the same blob, and no other run writes it.
    const bytes = Buffer.from(image, "base64");
    const format = formatOf(bytes) ?? FORMATS[0];
    const imageKey = `profiles/${ctx.run.id}.${format.extension}`;
    await ctx.step(
      "store-image",
      async ({ signal }) => {
        await blobs.put(imageKey, bytes, format.type, signal);
      },
      { timeoutMs: 30_000, reference: () => imageKey, compensate: (_, { signal }) => blobs.delete(imageKey, signal) },
    );
    await ctx.transaction("refer-to-image", async (tx) => {
      await tx.profile.upsert({
        where: { userId },
        create: { userId, imageKey },
        update: { imageKey, updatedAt: new Date() },
      });
    });
    return { userId, imageKey };
  },
);
