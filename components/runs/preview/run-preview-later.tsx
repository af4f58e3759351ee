"use client";

import { PreviewSkeleton } from "../../shell/preview-skeleton";
import { later } from "../../ui/later";

export const RunPreview = later(
  () => import("./run-preview").then((part) => part.RunPreview),
  <PreviewSkeleton what="the run" />,
);
