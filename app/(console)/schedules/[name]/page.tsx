import type { Metadata } from "next";
import { SchedulePage } from "@/components/pages/schedules/schedule-page";
import { scheduleQuery } from "@/lib/api/hooks/queries";
import { Prefetched } from "../../prefetched";
import Loading from "../loading";

export async function generateMetadata({ params }: PageProps<"/schedules/[name]">): Promise<Metadata> {
  return { title: `Schedule ${decodeURIComponent((await params).name)}` };
}

export default async function Page({ params }: PageProps<"/schedules/[name]">) {
  const name = decodeURIComponent((await params).name);
  return (
    <Prefetched loading={<Loading />} ask={(queryClient, read) => queryClient.prefetchQuery(scheduleQuery(name, read))}>
      <SchedulePage name={name} />
    </Prefetched>
  );
}
