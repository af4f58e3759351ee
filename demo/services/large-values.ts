import type { BlobStore } from "../../lib/engine/values/blob-store";
import { deleteBlob, getBlob, putBlob } from "../clients/blob-store";

/** Values over 1 MiB, such as a photo in a run's input, lie in the sandbox's blob store. */
export const largeValues: BlobStore = {
  put: (key, bytes, signal) => putBlob(`values/${key}`, bytes, "application/octet-stream", signal),
  get: (key, signal) => getBlob(`values/${key}`, signal),
  delete: (keys, signal) => Promise.all(keys.map((key) => deleteBlob(`values/${key}`, signal))),
};
