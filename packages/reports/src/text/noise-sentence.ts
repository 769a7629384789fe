import type { ScoreNoise } from "@assay/schemas"

/** More repeats that narrow an interval by a smaller part are not worth their price. */
const WORTH = 0.1

/**
 * Returns a sentence about the noise of a score: how much of its variance comes from the rows, and whether more rows or more repeats
 * help. For the same number of requests, more rows never help less than more repeats, so repeats are advised only where rows are scarce.
 */
export function noiseSentence(noise: ScoreNoise): string {
  const { variance_rows, width_asked_once, width_asked_twice, width_asked_forever, width_spread } = noise
  const fromRows = variance_rows === 0 ? 0 : width_asked_forever ** 2
  const share = `${percent(fromRows)} of the uncertainty comes from which rows were asked, the rest from how the answers to a row differ`
  const spread = `as many requests to different rows would narrow the interval by ${percent(1 - width_spread)}`
  if (1 - width_asked_forever < WORTH) {
    const once = `asking each row once would widen it by ${percent(width_asked_once - 1)}`
    return `${share}. More repeats help little (${percent(1 - width_asked_forever)} at most): ${spread}, and ${once}.`
  }
  if (1 - width_spread < WORTH) {
    return `${share}. More rows and more repeats help alike: twice as many requests of either kind narrow the interval by about ${percent(1 - width_asked_twice)}.`
  }
  return `${share}. More rows help most: ${spread}; twice as many repeats of these rows by ${percent(1 - width_asked_twice)}.`
}

function percent(share: number): string {
  return `${Math.round(100 * Math.min(Math.max(share, 0), 10))} %`
}
