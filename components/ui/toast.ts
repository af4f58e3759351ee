import type { ExternalToast } from "sonner";

const show = (kind: "success" | "error" | "warning") => (title: string, data?: ExternalToast) =>
  void import("sonner").then(({ toast }) => toast[kind](title, data));

/** Says in a corner what happened. What draws it comes after the page. */
export const toast = { success: show("success"), error: show("error"), warning: show("warning") };
