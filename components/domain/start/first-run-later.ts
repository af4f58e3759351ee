"use client";

import { later } from "@/components/ui/later";

/** An installation has its first run once. */
export const FirstRun = later(() => import("./first-run").then((part) => part.FirstRun));
