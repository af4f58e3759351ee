"use client";

import { PreviewSkeleton } from "@/components/parts/page/preview-skeleton";
import { later } from "@/components/ui/later";

export const RunPreview = later(
  () => import("./run-preview").then((part) => part.RunPreview),
  <PreviewSkeleton what="the run" />,
);
