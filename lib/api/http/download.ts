const TYPES = { ndjson: "application/x-ndjson; charset=utf-8", csv: "text/csv; charset=utf-8; header=present" };

/**
 * A file that is written as fast as the client reads; a failure aborts it, so that a partial file is not taken for
 * complete.
 */
export function download(name: string, format: keyof typeof TYPES, lines: AsyncGenerator<string>): Response {
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
    headers: { "content-type": TYPES[format], "content-disposition": `attachment; filename="${name}.${format}"` },
  });
}
