import { createRouge, sentenceBleu } from "@assay/metrics"
import { bareBleu, bareRouge } from "./bare-scores.ts"

const ROWS = 20_000
const pairAt = (index: number) => ({
  candidate: `the quick brown fox number ${index} jumps over the lazy dog near the river bank`,
  reference: `a quick brown fox numbered ${index} jumped over a lazy dog by the river banks`,
})

type Pair = ReturnType<typeof pairAt>

/** Returns functions that score rows of about a dozen words, and return the seconds that it took. */
export function shortRowScores() {
  const pairs = Array.from({ length: ROWS }, (_, index) => pairAt(index))
  const rouge = createRouge({ stemmer: true })
  const timed = (score: (pair: Pair) => unknown) => async () => {
    const started = performance.now()
    for (const pair of pairs) score(pair)
    return (performance.now() - started) / 1000
  }
  return {
    bleu: timed(({ candidate, reference }) => sentenceBleu(candidate, [reference])),
    bareBleu: timed(({ candidate, reference }) => bareBleu(candidate, reference)),
    rouge: timed(({ candidate, reference }) => rouge.score(candidate, reference)),
    bareRouge: timed(({ candidate, reference }) => bareRouge(candidate, reference)),
  }
}
