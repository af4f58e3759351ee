import { outsideWorld } from "./addresses";
import { request } from "./http";

const SERVICE = "blob store";
const url = (key: string) => `${outsideWorld().sandboxUrl}/blobs/${encodeURIComponent(key)}`;

/** Puts the bytes under the key; the same key again replaces them by the same bytes. */
export async function putBlob(key: string, bytes: Uint8Array, contentType: string, signal: AbortSignal): Promise<void> {
  const body = new Blob([bytes as Uint8Array<ArrayBuffer>]);
  await request(SERVICE, url(key), { method: "PUT", headers: { "content-type": contentType }, body, signal });
}

/** Undefined if there is none under the key. */
export async function getBlob(key: string, signal: AbortSignal): Promise<Uint8Array | undefined> {
  const response = await request(SERVICE, url(key), { signal }, [404]);
  return response.ok ? new Uint8Array(await response.arrayBuffer()) : undefined;
}

export async function deleteBlob(key: string, signal: AbortSignal): Promise<void> {
  await request(SERVICE, url(key), { method: "DELETE", signal }, [404]);
}
