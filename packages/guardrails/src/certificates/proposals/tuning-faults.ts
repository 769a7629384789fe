import { createHash } from "node:crypto"
import type { CalibrationCandidate } from "../../calibration/asking/candidate.ts"
import { runCalibration, type CalibrationOptions } from "../../calibration/asking/run-calibration.ts"
import type { LabelledPrompt } from "../../calibration/prompts/labelled-prompt.ts"
import { distinctRows } from "../distinct-rows.ts"
import { splitRowOf, splitRows, type SplitRow } from "../split-rows.ts"

/** Mistakes of a judge, as messages of users, each cut to 500 characters. */
export interface TuningFaults {
  readonly falseBlocks: readonly string[]
  readonly misses: readonly string[]
}

export interface TuningFaultOptions extends Omit<CalibrationOptions, "candidates" | "rows" | "repeat"> {
  /** The judge of the base configuration. */
  readonly judge: CalibrationCandidate
  /** Opens all rows. Called three times. */
  readonly openRows: () => AsyncIterable<LabelledPrompt>
  readonly seed: number
}

/** Maximum number of mistakes of each kind that a model is shown. */
const MAX_FAULTS = 8
const MAX_TEXT = 500

/**
 * Asks a judge about the tuning rows and returns some of its mistakes, at random by the seed. Certification rows are neither asked about
 * nor returned: a prompt that was written in view of them would fit them better than new messages, and their exact bounds would no longer
 * hold. Rows with a response are left out, because other rails judge them.
 * @throws what `runCalibration` throws
 */
export async function findTuningFaults({ judge, seed, ...options }: TuningFaultOptions): Promise<TuningFaults> {
  // The certificate counts copies of a prompt once, and its split depends on the rows that it has.
  const openRows = () => distinctRows(options.openRows())
  const split: SplitRow[] = []
  for await (const row of openRows()) split.push(splitRowOf(row, seed))
  const isTuning = splitRows(split)
  const indexes = split.flatMap(({ hasResponse }, at) => (isTuning[at] === true && !hasResponse ? [at] : []))
  const run = await runCalibration({
    ...options,
    candidates: [judge],
    rows: selectRows(openRows(), new Set(indexes)),
  })
  const isFault = (at: number) => run.judges[0]?.outcome(at) === (run.rows.isUnsafe(at) ? "pass" : "block")
  const faults = indexes.flatMap((index, at) => (isFault(at) ? [index] : []))
  const rowNumberAt = (index: number) => split[index]?.number ?? 0
  const drawn = [false, true].flatMap((isUnsafe) =>
    faults
      .filter((index) => split[index]?.isUnsafe === isUnsafe)
      .toSorted((a, b) => rowNumberAt(a) - rowNumberAt(b))
      .slice(0, MAX_FAULTS),
  )
  const found: TuningFaults & { readonly [Side in keyof TuningFaults]: string[] } = { falseBlocks: [], misses: [] }
  for await (const { label, prompt } of selectRows(openRows(), new Set(drawn))) {
    found[label === "safe" ? "falseBlocks" : "misses"].push(prompt.slice(0, MAX_TEXT).toWellFormed())
  }
  return found
}

async function* selectRows(
  rows: AsyncIterable<LabelledPrompt>,
  indexes: ReadonlySet<number>,
): AsyncGenerator<LabelledPrompt, void, undefined> {
  let at = 0
  for await (const row of rows) if (indexes.has(at++)) yield row
}

/** Returns a digest of all rows. */
export async function digestRows(rows: AsyncIterable<LabelledPrompt>): Promise<string> {
  const digest = createHash("sha256")
  for await (const { prompt, response, label } of rows) {
    digest.update(`${JSON.stringify([prompt, response ?? null, label])}\n`)
  }
  return digest.digest("hex")
}
