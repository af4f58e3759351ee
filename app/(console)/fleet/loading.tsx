import { PageSkeleton } from "@/components/parts/page/page-skeleton";

export default function Loading() {
  return <PageSkeleton title="Fleet" />;
}
