import { answer } from "@/lib/api/http/console-api";

/** Where Prometheus looks. */
export function GET(request: Request): Promise<Response> {
  const url = new URL(request.url);
  url.pathname = "/api/v1/metrics";
  return answer(new Request(url, request));
}
