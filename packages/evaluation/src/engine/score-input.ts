import { conversations } from "@assay/scoring"
import type { AskedSample } from "../plan/ask.ts"
import type { ScoreInput } from "./score-sample.ts"

/** Returns what metrics read of a row and its sample: for a conversation also its turns. */
export function scoreInput(item: ScoreInput["item"], asked: AskedSample, row?: number): ScoreInput {
  const { turns, ...sample } = asked
  const place = row === undefined ? {} : { row }
  return turns === undefined
    ? { item, sample: asked, ...place }
    : { ...conversations.input(item, sample, turns), ...place }
}
