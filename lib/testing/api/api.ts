import { registerApp } from "../../registered-app";
import sampleApp from "../sample-app";

const ORIGIN = "http://127.0.0.1:3000";

export interface Asking {
  /** Sent as JSON, unless it is text, bytes or a stream already. */
  body?: unknown;
  headers?: Record<string, string>;
  signal?: AbortSignal;
}

export interface Answered {
  status: number;
  headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: a test looks at whatever the server said
  body: any;
}

type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

/** The HTTP API without the socket, with the sample workflows unless others are given. */
export async function anApi(app = sampleApp) {
  registerApp(app);
  const { api, endpointOf } = await import("../../api/http/console-api");
  const { refusalsOf } = await import("../../api/http/refusals");
  const send = async (method: string, path: string, { body, headers, signal }: Asking = {}): Promise<Response> => {
    const text =
      body === undefined || typeof body === "string" || body instanceof Uint8Array || body instanceof ReadableStream
        ? body
        : JSON.stringify(body);
    const request = new Request(new URL(`/api${path}`, ORIGIN), {
      method,
      headers: { ...(text !== undefined && { "content-type": "application/json" }), ...headers },
      ...(text !== undefined && { body: text as BodyInit, duplex: "half" }),
      ...(signal && { signal }),
    });
    const response = await api[method as Method](request);
    const endpoint = endpointOf(request);
    const refused = response.status >= 400 && response.status < 500;
    if (endpoint && refused && !refusalsOf(endpoint).includes(response.status))
      throw new Error(`The document of the API does not say that ${method} ${path} may answer ${response.status}.`);
    return response;
  };
  const ask = async (method: string, path: string, asking: Asking = {}): Promise<Answered> => {
    const response = await send(method, path, asking);
    return { status: response.status, headers: response.headers, body: await response.json() };
  };
  return { api, send, ask };
}
