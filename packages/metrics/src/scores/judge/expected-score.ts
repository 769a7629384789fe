/** A token of an answer, with the likeliest tokens at its position. */
interface ScoredToken {
  readonly token: string
  /** In nats. */
  readonly logprob: number
  readonly top: readonly { readonly token: string; readonly logprob: number }[]
}

interface ScoreScale {
  /** From 0 to 9, so that each score is one token. */
  readonly minimum: number
  readonly maximum: number
}

/** Blanks, quotation marks and emphasis around a number. */
const MARKS = /[\s"'*_`]+/g
/** Rounding of 32-bit numbers can put the log-probability of a certain token this far above 0. */
const LARGEST = 1e-5
/** How far the probabilities of one position may exceed 1 by rounding. */
const ROUNDING = 0.01

/**
 * Returns the expectation of a score over the probabilities that a judge gave each score of the scale at the token of the stated one. The probabilities of
 * other tokens are left out, and the rest sums to 1. Null if no token is the stated score, if no alternative was listed there, or if the
 * log-probabilities can't be right: above 0, not a number, or more than 1 together.
 * Source: Liu et al., G-Eval, arXiv 2303.16634, equation 1.
 */
export function expectedScore(tokens: readonly ScoredToken[], stated: number, scale: ScoreScale): number | null {
  const token = tokens.findLast((one) => scoreIn(one.token, scale) === stated)
  if (token === undefined || token.top.length === 0) return null
  const listed = token.top.some((one) => one.token === token.token) ? token.top : [token, ...token.top]
  if (!listed.every(({ logprob }) => logprob <= LARGEST)) return null
  const found = listed.map(({ token: text, logprob }) => ({
    probability: Math.exp(logprob),
    score: scoreIn(text, scale),
  }))
  if (sumOf(found.map(({ probability }) => probability)) > 1 + ROUNDING) return null
  const scored = found.flatMap(({ probability, score }) => (score === undefined ? [] : { probability, score }))
  const mass = sumOf(scored.map(({ probability }) => probability))
  if (mass === 0) return null
  const expected = sumOf(scored.map(({ probability, score }) => probability * score)) / mass
  return Math.min(scale.maximum, Math.max(scale.minimum, expected))
}

function sumOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0)
}

function scoreIn(token: string, { minimum, maximum }: ScoreScale): number | undefined {
  const text = token.replaceAll(MARKS, "")
  const score = /^\d$/.test(text) ? Number(text) : Number.NaN
  return score >= minimum && score <= maximum ? score : undefined
}
