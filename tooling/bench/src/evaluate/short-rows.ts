import { createRouge, sentenceBleu } from "@assay/metrics"

const ROWS = 20_000
const pairs = Array.from({ length: ROWS }, (_, index) => ({
  candidate: `the quick brown fox number ${index} jumps over the lazy dog near the river bank`,
  reference: `a quick brown fox numbered ${index} jumped over a lazy dog by the river banks`,
}))

/** Measures sentence BLEU and ROUGE (1, 2, 3 and L, with stemming) of rows of about a dozen words, in rows per second. */
export function scoreShortRows(): { readonly bleu: number; readonly rouge: number } {
  const rouge = createRouge({ stemmer: true })
  return {
    bleu: rowsPerSecond(({ candidate, reference }) => sentenceBleu(candidate, [reference])),
    rouge: rowsPerSecond(({ candidate, reference }) => rouge.score(candidate, reference)),
  }
}

function rowsPerSecond(score: (pair: (typeof pairs)[number]) => unknown): number {
  for (const pair of pairs.slice(0, 2000)) score(pair)
  const started = performance.now()
  for (const pair of pairs) score(pair)
  return ROWS / ((performance.now() - started) / 1000)
}
