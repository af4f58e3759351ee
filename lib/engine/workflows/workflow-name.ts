import { HandrailError } from "../errors";

const NAME = /^[a-z0-9][a-z0-9._-]{0,99}$/;

/** @throws HandrailError `invalid_workflow` in code, `invalid_request` for a name that a request brought */
export function checkWorkflowName(name: string, code: "invalid_workflow" | "invalid_request"): void {
  if (NAME.test(name)) return;
  throw new HandrailError(
    code,
    `"${name}" cannot name a workflow. Use lower-case letters, digits, "-", "_" and ".", such as "order-fulfilment".`,
  );
}
