/** A text that an editor offers. */
export interface Completion {
  /** The text in the list. */
  readonly label: string
  /** The text that replaces the one from `Completions.from` to the caret. Default: the label. */
  readonly text?: string
  /** A few words about it. */
  readonly about?: string
}

/** The texts that an editor offers at the caret. */
export interface Completions {
  /** Where the text begins that a chosen completion replaces. */
  readonly from: number
  readonly items: readonly Completion[]
}

/** Maximum number of completions of a list. */
const MAX_SHOWN = 50

/** Returns the completions that fit what is written: first those that begin with it, then those that contain it. */
export function fittingCompletions(items: readonly Completion[], written: string): readonly Completion[] {
  const small = written.toLowerCase()
  const rank = ({ label }: Completion) => {
    const at = label.toLowerCase().indexOf(small)
    return at === -1 ? 2 : Math.min(at, 1)
  }
  const fitting = items.filter((item) => rank(item) < 2).toSorted((one, other) => rank(one) - rank(other))
  return fitting.slice(0, MAX_SHOWN)
}
