"use client";

import { later } from "../ui/later";
import { PreviewSkeleton } from "./preview-skeleton";

/** Under the bar with its name, which comes with it. */
const waiting = (
  <div className="pt-[46px]">
    <PreviewSkeleton />
  </div>
);

export const RunPreview = later(() => import("./run-preview").then((part) => part.RunPreview), waiting);
