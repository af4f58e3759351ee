import { createLoader } from "nuqs/server";
import { effectUrl, toEffectFilter } from "@/components/domain/effects/effect-url";
import { EffectsPage } from "@/components/pages/effects/effects-page";
import { effectsQuery } from "@/lib/api/hooks/queries";
import { Prefetched } from "../prefetched";
import Loading from "./loading";

export const metadata = { title: "Effects" };

const readUrl = createLoader(effectUrl);

export default async function Page({ searchParams }: PageProps<"/effects">) {
  const filter = toEffectFilter(await readUrl(searchParams));
  return (
    <Prefetched
      loading={<Loading />}
      ask={(queryClient, read) => queryClient.prefetchInfiniteQuery(effectsQuery(filter, read))}
    >
      <EffectsPage />
    </Prefetched>
  );
}
