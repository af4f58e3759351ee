"use client";

import { later } from "@/components/ui/later";

/** Most runs that are opened have ended, or move. */
export const WhyItWaits = later(() => import("./why-it-waits").then((part) => part.WhyItWaits));
