import { WORDS } from "../../lib/actions/words";
import type { Plan } from "../../lib/api/contract/plans";
import { formatCount, plural } from "../../lib/format";
import { plain } from "../output/plain";
import type { Screen } from "../output/screen";

type Shown = Pick<Plan, "act" | "params" | "counts">;

/** `Rerun 412 runs` */
export const planTitle = ({ act, params, counts }: Shown): string =>
  `${WORDS[act].plan.verb(params)} ${plural(counts.included, "run")}`;

/** What will happen to how many runs, and which are left out and why. */
export function planText(screen: Screen, plan: Shown): string {
  const { act, params, counts } = plan;
  const { happens, besides } = WORDS[act].plan;
  const { effects, uncompensated, secondPerson } = counts;
  const rows = [
    ...happens(counts).map((what) => [what, ""]),
    ...(besides && counts.included > 0 ? [[besides(params), ""]] : []),
    ...counts.leftOut.map(({ name, count }) => [screen.paint("yellow", `${formatCount(count)} left out`), plain(name)]),
    ...(effects.repeat > 0
      ? [[`${formatCount(effects.repeat)} effects are requested again`, unprotected(effects)]]
      : []),
    ...(uncompensated > 0
      ? [
          [
            `${plural(uncompensated, "step")} with a compensation`,
            params.freshKeys === true ? "not compensated any more" : "compensated only on completing again",
          ],
        ]
      : []),
    ...(secondPerson.runs > 0
      ? [[`${formatCount(secondPerson.runs)} need a second person`, plain(secondPerson.workflows.join(", "))]]
      : []),
  ];
  const title = screen.paint("bold", `${planTitle(plan)} of ${formatCount(counts.runs)} selected`);
  return rows.length === 0 ? title : `${title}\n${screen.table(["", ""], rows)}`;
}

const unprotected = ({ unprotected: count }: Plan["counts"]["effects"]): string =>
  count > 0 ? `${formatCount(count)} without protection against happening twice` : "with their idempotency keys";

/** The word that a person types before something irreversible; null where a yes is enough. */
export const wordToType = ({ act, params, counts }: Shown): string | null =>
  WORDS[act].plan.wordToType?.(params, counts) ?? null;
