import { deleteBlob, putBlob } from "../clients/blob-store";
import { sendMail } from "../clients/mailer";
import { charge, findCharge, refund } from "../clients/payments";
import { fetchUsers } from "../clients/user-directory";

/** What the sample workflows reach the outside world by. */
export const appServices = {
  payments: { charge, findCharge, refund },
  mail: { send: sendMail },
  blobs: { put: putBlob, delete: deleteBlob },
  users: { fetchAll: fetchUsers },
};

type SampleServices = typeof appServices;

/** What `ctx.services` has beside the services of your own app. */
declare module "../../lib/engine/workflows/workflow" {
  interface Services extends SampleServices {}
}
