import type { Comparison, PairComparison } from "@assay/schemas"
import { useNavigate } from "@tanstack/react-router"
import { useSearchValue } from "../../../components/use-search-value.ts"
import type { ComparedScore } from "./compared-scores.ts"
import { readFlip, type Flip } from "./flips.ts"

/** The part of a comparison that the rows show, as the address names it. */
export interface ComparedView {
  readonly compared: ComparedScore | undefined
  /** The job whose rows are beside those of the baseline. */
  readonly job: string
  readonly pair: PairComparison | undefined
  readonly flip: Flip | undefined
  /** Shows other rows. Absent parts stay; without `flip`, all rows are shown. */
  readonly show: (change: { readonly score?: string; readonly job?: string; readonly flip?: Flip | undefined }) => void
}

/** Returns what the rows of a comparison show, and what changes it. */
export function useComparedView({ jobs }: Comparison, compared: readonly ComparedScore[]): ComparedView {
  const [name] = useSearchValue("score")
  const [chosen] = useSearchValue("job")
  const [flip] = useSearchValue("flip")
  const navigate = useNavigate()
  const score = compared.find((one) => one.name === name) ?? compared[0]
  const others = jobs.slice(1)
  const job = others.find(({ id }) => id === chosen)?.id ?? others[0]?.id ?? ""
  return {
    compared: score,
    job,
    pair: score?.score.pairs.find((pair) => pair.job === job),
    flip: readFlip(flip),
    show: ({ flip: next, ...change }) => {
      void navigate({
        to: ".",
        // The chosen row is a position among the rows that are shown.
        search: (before: object) => ({ ...before, ...change, flip: next, at: undefined }),
        replace: true,
        resetScroll: false,
      })
    },
  }
}
