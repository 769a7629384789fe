import { checkReferences } from "../check-references.ts"
import type { Steps } from "./edit-matrix.ts"
import { createTerTokenizer, type TerOptions } from "./ter-tokenizer.ts"
import { translationEdits } from "./translation-edits.ts"

/** The counts from which TER is computed. The counts of a corpus are the sums of those of its texts. */
export interface TerCounts {
  /** The edits to the reference that needs fewest. */
  readonly edits: number
  /** The mean number of words of all references. */
  readonly referenceLength: number
}

export interface Ter {
  /** Counts the edits of one candidate. @throws `invalid_request` without references */
  count(candidate: string, references: readonly string[]): TerCounts
  /** Counts the same for long texts, and awaits `pause` every few milliseconds so that other work can run. */
  countInTurns(candidate: string, references: readonly string[], pause: () => Promise<void>): Promise<TerCounts>
}

/** Creates TER as sacreBLEU computes it. Time is linear in the words times the shifts that are tried, at most 1,000 for each reference. */
export function createTer(options: TerOptions = {}): Ter {
  const tokenize = createTerTokenizer(options)
  return {
    count(candidate, references) {
      const steps = countSteps(tokenize(candidate), references.map(tokenize))
      for (;;) {
        const step = steps.next()
        if (step.done === true) return step.value
      }
    },
    async countInTurns(candidate, references, pause) {
      const steps = countSteps(tokenize(candidate), references.map(tokenize))
      for (;;) {
        await pause()
        const step = steps.next()
        if (step.done === true) return step.value
      }
    },
  }
}

function* countSteps(own: readonly string[], references: readonly (readonly string[])[]): Steps<TerCounts> {
  checkReferences(references)
  let edits = Number.POSITIVE_INFINITY
  let words = 0
  for (const expected of references) {
    edits = Math.min(edits, yield* translationEdits(own, expected))
    words += expected.length
  }
  return { edits, referenceLength: words / references.length }
}

/** Returns the translation edit rate in percent: 0 for no edits, and more than 100 for more edits than words. Lower is better. */
export function terScore({ edits, referenceLength }: TerCounts): number {
  if (referenceLength > 0) return 100 * (edits / referenceLength)
  return edits > 0 ? 100 : 0
}
