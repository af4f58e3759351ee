import { z } from "zod";
import { DELIVERY_STATUSES } from "../../engine/notices/delivery-status";
import { DESTINATION_KINDS } from "./destinations";
import { reason } from "./requests";

/** What a report of a bulk action or a problem would say, and the destinations that take it. */
export const reportPreviewSchema = z
  .object({
    /** Names and numbers alone, as of now; a link to the page is sent with it. */
    sentence: z.string(),
    destinations: z.array(z.object({ id: z.string(), name: z.string(), kind: z.enum(DESTINATION_KINDS) })),
  })
  .meta({ id: "ReportPreview" });

export const reportRequest = z.strictObject({ destinationId: z.uuid(), reason }).meta({ id: "ReportRequest" });

export const sentReportSchema = z
  .object({ deliveryId: z.string(), status: z.enum(DELIVERY_STATUSES), sentence: z.string() })
  .meta({ id: "SentReport" });

export type ReportPreview = z.infer<typeof reportPreviewSchema>;
export type ReportRequest = z.infer<typeof reportRequest>;
export type SentReport = z.infer<typeof sentReportSchema>;
