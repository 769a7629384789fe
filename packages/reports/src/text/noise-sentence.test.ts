import type { ScoreNoise } from "@assay/schemas"
import { verifies } from "@assay/testkit"
import { expect, it } from "vitest"
import { noiseSentence } from "./noise-sentence.ts"

/** Returns the noise of rows that were asked three times. */
function noiseOf(rows: number, answers: number): ScoreNoise {
  const variance = rows + answers / 3
  const width = (other: number) => Math.sqrt(other / variance)
  return {
    rows: 100,
    variance_rows: rows,
    variance_answers: answers,
    width_asked_once: width(rows + answers),
    width_asked_twice: width(rows + answers / 6),
    width_asked_forever: width(rows),
    width_spread: width((rows + answers) / 3),
  }
}

it.each([
  [
    noiseOf(0.2, 0.02),
    "97 % of the uncertainty comes from which rows were asked, the rest from how the answers to a row differ. More repeats help little (2 % at most): as many requests to different rows would narrow the interval by 40 %, and asking each row once would widen it by 3 %.",
  ],
  [
    noiseOf(0.1, 0.15),
    "67 % of the uncertainty comes from which rows were asked, the rest from how the answers to a row differ. More rows help most: as many requests to different rows would narrow the interval by 25 %; twice as many repeats of these rows by 9 %.",
  ],
  [
    noiseOf(0, 0.2),
    "0 % of the uncertainty comes from which rows were asked, the rest from how the answers to a row differ. More rows and more repeats help alike: twice as many requests of either kind narrow the interval by about 29 %.",
  ],
])("Noise is explained with what narrows the interval", verifies("noise.advice"), (noise, sentence) => {
  expect(noiseSentence(noise)).toBe(sentence)
})
