"use client";

import { later } from "../ui/later";

/** With the form that inputs are made in, which the other acts do without. */
export const StartAgainDialog = later(() => import("./start-again-dialog").then((dialog) => dialog.StartAgainDialog));
