import { test } from "@playwright/test";
import type { Fault } from "../../demo/sandbox/faults";
import { sandboxUrl } from "./ledger";

export type { Fault };

type Service = "payments" | "mail" | "blobs" | "users";

const headers = { "content-type": "application/json" };

/**
 * Faults affect every caller of the service: specs that switch one on take turns, see playwright.config.ts.
 * @throws in a spec of `beside`: it runs at the same time as specs that have faults of their own
 */
export async function setFault(service: Service, fault: Partial<Fault> & Pick<Fault, "mode">): Promise<void> {
  if (test.info().project.name === "beside")
    throw new Error(
      `${test.info().titlePath[0]} switches faults of the sandbox on: take it out of BESIDE in playwright.config.ts.`,
    );
  const url = `${sandboxUrl}/${service}/faults`;
  const response = await fetch(url, { method: "PUT", headers, body: JSON.stringify(fault) });
  if (!response.ok) throw new Error(`The sandbox answered ${response.status}: ${await response.text()}`);
}

/** For `afterEach`: the next test finds working services. */
export async function mend(...services: Service[]): Promise<void> {
  await Promise.all(services.map((service) => setFault(service, { mode: "none" })));
}

/** Does something while the service has a fault, and clears the fault in any case. */
export async function during<Result>(
  service: Service,
  fault: Partial<Fault> & Pick<Fault, "mode">,
  act: () => Promise<Result>,
): Promise<Result> {
  await setFault(service, fault);
  return act().finally(() => mend(service));
}
