import { z } from "zod";

export interface ErrorShape {
  name: string;
  message: string;
  code?: string;
  stack?: string;
  cause?: ErrorShape;
}
export const serializedError: z.ZodType<ErrorShape> = z
  .object({
    name: z.string(),
    message: z.string(),
    code: z.string().optional(),
    stack: z.string().optional(),
    get cause() {
      return serializedError.optional();
    },
  })
  .meta({ id: "SerializedError" });
