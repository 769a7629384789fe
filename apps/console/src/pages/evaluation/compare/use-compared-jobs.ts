import { useSearchValue } from "../../../components/use-search-value.ts"

/** Jobs that are compared with one baseline. */
export const MAX_JOBS = 8

/** The compared jobs and score, as the address names them. */
export interface ComparedChoice {
  /** The id of the baseline. */
  readonly a: string | undefined
  /** The ids of the jobs that are compared with it. */
  readonly jobs: readonly string[]
  readonly margin: { readonly text: string; readonly value: number; readonly isValid: boolean }
  readonly setA: (id: string | undefined) => void
  readonly setJobs: (ids: readonly string[]) => void
  readonly setMargin: (text: string) => void
}

/** Returns what is compared, and what changes it. The address names the jobs after the baseline in `b`, separated by commas. */
export function useComparedJobs(): ComparedChoice {
  const [a, setA] = useSearchValue("a")
  const [b = "", setB] = useSearchValue("b")
  const [text = "0", setText] = useSearchValue("margin")
  const value = Number(text)
  return {
    a,
    jobs: [...new Set(b.split(",").filter((id) => id !== ""))].slice(0, MAX_JOBS),
    margin: { text, value, isValid: Number.isFinite(value) && value >= 0 },
    setA,
    setJobs: (ids) => setB(ids.length === 0 ? undefined : [...new Set(ids)].join(",")),
    setMargin: (next) => setText(next === "0" ? undefined : next),
  }
}
