import { AssayError, type ErrorCode } from "@assay/schemas"
import pMap from "p-map"
import { createJudgeTally, type JudgeTally } from "../counting/judge-tally.ts"
import { createRowTally, type RowTally } from "../counting/row-tally.ts"
import { journalKey, type CalibrationJournal } from "../calibration-journal.ts"
import type { LabelledPrompt } from "../prompts/labelled-prompt.ts"
import { checkCandidates, type CalibrationCandidate } from "./candidate.ts"
import { reduceCheck, type JudgedPrompt } from "./judged-prompt.ts"

export interface CalibrationOptions {
  readonly candidates: readonly CalibrationCandidate[]
  readonly rows: AsyncIterable<LabelledPrompt>
  /** Number of times that each candidate judges each row. Default 1. Repeats show flips, and their votes allow a ROC curve. */
  readonly repeat?: number
  /** The largest number of questions in flight over all candidates. Default 8. */
  readonly parallelism?: number
  /** Questions with an answer in it are not asked again. New answers are appended; failed requests are not. */
  readonly journal?: CalibrationJournal | undefined
  readonly signal?: AbortSignal | undefined
  /** Returns milliseconds, to measure how long the calibration takes. */
  readonly now: () => number
  readonly onProgress?: (progress: CalibrationProgress) => void
}

export interface CalibrationProgress {
  readonly rows: number
  readonly asked: number
  readonly reused: number
  readonly errors: number
}

/** The answers of a calibration, counted but not yet turned into a report. */
export interface CalibrationRun {
  readonly rows: RowTally
  readonly judges: readonly JudgeTally[]
  readonly repeat: number
  readonly asked: number
  readonly reused: number
  readonly elapsedMs: number
}

interface Question {
  readonly candidate: CalibrationCandidate
  readonly tally: JudgeTally
  readonly row: LabelledPrompt
  readonly index: number
  readonly turn: number
  readonly key: string
}

/** Failures that every further prompt would meet too. */
const PERMANENT_FAILURES: readonly ErrorCode[] = [
  "inference_unauthorized",
  "inference_tls",
  "inference_unreachable",
  "model_not_found",
  "quota_exhausted",
  "template_error",
]
/** The calibration ends if a candidate fails so often before its first answer. */
const MAX_FAILURES = 10

/**
 * Asks each candidate about each row. Rows are streamed, and only a few bytes per question and some examples are kept. The
 * candidates take turns, so that an interrupted run has asked each about the same rows.
 * @throws the reason of `signal`; the errors of `rows`; the error of a candidate that gives no answer at all
 */
export async function runCalibration(options: CalibrationOptions): Promise<CalibrationRun> {
  const { candidates, journal, repeat = 1, parallelism = 8, now } = options
  checkCandidates(candidates)
  const start = now()
  const rows = createRowTally()
  const pairs = candidates.map((candidate) => ({ candidate, tally: createJudgeTally(candidate.name) }))
  const stop = new AbortController()
  const signal = options.signal === undefined ? stop.signal : AbortSignal.any([options.signal, stop.signal])
  const counts = { asked: 0, reused: 0, errors: 0 }
  let failure: { readonly cause: unknown } | undefined
  const notify = () => options.onProgress?.({ rows: rows.count, ...counts })
  const fail = (cause: unknown) => {
    failure ??= { cause }
    stop.abort(cause)
  }

  /** Ends at the first failure instead of throwing it. */
  async function* questions(): AsyncGenerator<Question, void, undefined> {
    try {
      for await (const row of options.rows) {
        signal.throwIfAborted()
        const index = rows.add(row)
        for (let turn = 0; turn < repeat; turn++) {
          for (const pair of pairs) {
            const key = journal === undefined ? "" : journalKey(pair.candidate.digest, row, turn)
            const known = journal?.read(key)
            if (known === undefined) yield { ...pair, row, index, turn, key }
            else {
              counts.reused++
              pair.tally.record(index, row, turn, known)
              notify()
            }
          }
        }
      }
    } catch (cause) {
      fail(cause)
    }
  }

  const ask = async ({ candidate, tally, row, index, turn, key }: Question) => {
    try {
      signal.throwIfAborted()
      const judged = reduceCheck(await candidate.judge(row, { signal }))
      counts.asked++
      tally.record(index, row, turn, judged)
      if (judged.outcome === "error") {
        counts.errors++
        checkAnswering(tally, judged)
      } else journal?.append(key, judged)
      notify()
    } catch (cause) {
      fail(cause)
    }
  }

  // Neither `questions` nor `ask` throws, so that all questions in flight end before the failure is thrown.
  await pMap(questions(), ask, { concurrency: parallelism })
  if (failure !== undefined) throw failure.cause
  await journal?.flush()
  const { asked, reused } = counts
  return { rows, judges: pairs.map(({ tally }) => tally), repeat, asked, reused, elapsedMs: now() - start }
}

/** Returns the code of a failure that every further prompt would meet too, such as a refused key; else undefined. */
export function permanentFailure(code: string | undefined): ErrorCode | undefined {
  return PERMANENT_FAILURES.find((one) => one === code)
}

/** @throws the error of a candidate that has failed too often without an answer */
function checkAnswering({ failures, answers, name }: JudgeTally, judged: JudgedPrompt): void {
  const code = permanentFailure(judged.reason)
  if (failures < MAX_FAILURES || answers > 0 || code === undefined) return
  throw new AssayError(
    code,
    `Judge "${name}" answered none of its first ${failures} prompts: ${judged.message ?? code}`,
  )
}
