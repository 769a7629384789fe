import type { CalibrationCandidate } from "./calibration-candidate.ts"
import { journalKey, type CalibrationJournal } from "./calibration-journal.ts"
import { checkAnswering } from "./check-answering.ts"
import { checkCandidates } from "./check-candidates.ts"
import { createSlots } from "./create-slots.ts"
import { createJudgeTally, type JudgeTally } from "./judge-tally.ts"
import type { LabelledPrompt } from "./labelled-prompt.ts"
import { reduceCheck } from "./reduce-check.ts"
import { createRowTally, type RowTally } from "./row-tally.ts"

export interface CalibrationOptions {
  readonly candidates: readonly CalibrationCandidate[]
  readonly rows: AsyncIterable<LabelledPrompt>
  /** How often each candidate is asked about each row. Default 1; more tells about flips, and votes give a ROC. */
  readonly repeat?: number
  /** Asks in flight over all candidates. Default 8. */
  readonly parallelism?: number
  /** Answers found in it are not asked for again; new ones are added, request errors are not. */
  readonly journal?: CalibrationJournal
  readonly signal?: AbortSignal
  /** Milliseconds, for the time that it took. */
  readonly now: () => number
  readonly onProgress?: (progress: CalibrationProgress) => void
}

export interface CalibrationProgress {
  readonly rows: number
  readonly asked: number
  readonly reused: number
  readonly errors: number
}

/** What a calibration found out, before it is worked out. */
export interface CalibrationRun {
  readonly rows: RowTally
  readonly judges: readonly JudgeTally[]
  readonly repeat: number
  readonly asked: number
  readonly reused: number
  readonly elapsedMs: number
}

/**
 * Asks each candidate about each row, as a stream: nothing but a few bytes and some examples of each row is kept. The
 * candidates take turns, so an interrupted run has seen about the same rows with each.
 * @throws the reason of `signal`; what reading the rows throws; a candidate's own error when it answers nothing else
 */
export async function runCalibration(options: CalibrationOptions): Promise<CalibrationRun> {
  const { candidates, journal, repeat = 1, parallelism = 8, now } = options
  checkCandidates(candidates)
  const start = now()
  const rows = createRowTally()
  const pairs = candidates.map((candidate) => ({ candidate, tally: createJudgeTally(candidate.name) }))
  const stop = new AbortController()
  const signal = options.signal === undefined ? stop.signal : AbortSignal.any([options.signal, stop.signal])
  const slots = createSlots(parallelism)
  let asked = 0
  let reused = 0
  let errors = 0
  let failure: { readonly cause: unknown } | undefined
  const tell = () => options.onProgress?.({ rows: rows.count, asked, reused, errors })

  const ask = async (pair: (typeof pairs)[number], row: LabelledPrompt, index: number, turn: number, key: string) => {
    try {
      signal.throwIfAborted()
      const judged = reduceCheck(await pair.candidate.judge(row, { signal }))
      asked++
      pair.tally.record(index, row, turn, judged)
      if (judged.outcome === "error") {
        errors++
        checkAnswering(pair.tally, judged)
      } else journal?.append(key, judged)
      tell()
    } catch (cause) {
      failure ??= { cause }
      stop.abort(cause)
    } finally {
      slots.free()
    }
  }

  const askAll = async (row: LabelledPrompt, index: number) => {
    for (let turn = 0; turn < repeat; turn++) {
      for (const pair of pairs) {
        const key = journal === undefined ? "" : journalKey(pair.candidate, row, turn)
        const known = journal?.read(key)
        if (known !== undefined) {
          reused++
          pair.tally.record(index, row, turn, known)
          tell()
          continue
        }
        await slots.take()
        // What is asked for after the signal fails by itself, and frees its slot.
        void ask(pair, row, index, turn, key)
      }
    }
  }

  try {
    for await (const row of options.rows) {
      signal.throwIfAborted()
      await askAll(row, rows.add(row))
    }
  } catch (cause) {
    failure ??= { cause }
    stop.abort(cause)
  }
  await slots.drained()
  if (failure === undefined) await journal?.flush()
  else throw failure.cause
  return { rows, judges: pairs.map(({ tally }) => tally), repeat, asked, reused, elapsedMs: now() - start }
}
