import { exportAudit as exporting } from "../../operator/export-audit";
import * as endpoints from "../endpoints";
import { route } from "../route";

export const listAudit = route(endpoints.listAudit, async ({ query, server }) => ({
  status: 200,
  body: await server.reads.audit(query),
}));

const TYPES = { ndjson: "application/x-ndjson; charset=utf-8", csv: "text/csv; charset=utf-8; header=present" };

/** Row after row as fast as they are taken, and no faster; a failure on the way breaks the download off. */
export const exportAudit = route(endpoints.exportAudit, async ({ query: { format, ...filter }, server }) => {
  const lines = exporting(server.db, filter, format);
  const encoder = new TextEncoder();
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { value, done } = await lines.next();
      if (done) controller.close();
      else controller.enqueue(encoder.encode(value));
    },
    async cancel() {
      await lines.return(undefined);
    },
  });
  return new Response(body, {
    headers: { "content-type": TYPES[format], "content-disposition": `attachment; filename="audit.${format}"` },
  });
});
