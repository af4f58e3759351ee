import { deleteBlob, putBlob } from "../clients/blob-store";
import { sendMail } from "../clients/mailer";
import { charge, findCharge, refund } from "../clients/payments";
import { fetchUsers } from "../clients/user-directory";

/** What this app's workflows reach the outside world by. */
export const appServices = {
  payments: { charge, findCharge, refund },
  mail: { send: sendMail },
  blobs: { put: putBlob, delete: deleteBlob },
  users: { fetchAll: fetchUsers },
};

/** What `ctx.services` hands over in this app. */
declare module "../../lib/engine/workflows/workflow" {
  interface Register {
    services: typeof appServices;
  }
}
