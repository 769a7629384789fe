import type { CalibrationRun } from "../asking/run-calibration.ts"
import type { JudgedPrompt } from "../asking/judged-prompt.ts"
import type { LabelledPrompt } from "../prompts/labelled-prompt.ts"
import { createJudgeTally } from "./judge-tally.ts"
import { createRowTally } from "./row-tally.ts"

/** The earlier result of a judge for a prompt. */
export interface Judgement {
  readonly judge: string
  /** The number of the prompt in its dataset, from 0. */
  readonly row: number
  readonly prompt: LabelledPrompt
  /** From 0: the number of times that the judge was asked about the prompt before. */
  readonly repeat: number
  readonly judged: JudgedPrompt
}

export interface TallyOptions {
  /** The names of the judges, in the order of the report. A judge without a judgement is reported, too. */
  readonly judges: readonly string[]
  /** Number of times that each judge was asked about each prompt. Default 1. */
  readonly repeat?: number
  /** Milliseconds that the judges took. Default 0. */
  readonly elapsedMs?: number
}

/**
 * Counts judgements as `runCalibration` counts answers, without asking anybody. They can come in any order, each once. Memory: a
 * few bytes for each one, and some examples.
 */
export async function tallyJudgements(
  judgements: AsyncIterable<Judgement>,
  { judges: names, repeat: repeats = 1, elapsedMs = 0 }: TallyOptions,
): Promise<CalibrationRun> {
  const rows = createRowTally()
  const tallies = new Map(names.map((name) => [name, createJudgeTally(name)]))
  let asked = 0
  for await (const { judge, row, prompt, repeat, judged } of judgements) {
    const tally = tallies.get(judge)
    if (tally === undefined) continue
    rows.put(row, prompt)
    tally.record(row, prompt, repeat, judged)
    asked++
  }
  return { rows, judges: [...tallies.values()], repeat: repeats, asked, reused: 0, elapsedMs }
}
