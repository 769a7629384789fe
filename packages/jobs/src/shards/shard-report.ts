import { NO_FINDINGS, type NewJobEvent, type ShardFindings, type ShardNews, type ShardStop } from "@assay/job-store"
import type { AssayError, EvaluationRow } from "@assay/schemas"
import { createConditionFinder, type JobLogLine, type JobProgress } from "@assay/results"
import { joinFindings } from "./join-findings.ts"
import { countsOf, findingsOf } from "./run-shard.ts"

/** Collects the news of a worker between two beats. */
export interface ShardReport {
  readonly log: (line: JobLogLine) => void
  readonly addRow: (row: EvaluationRow) => void
  readonly addRetry: (error: unknown, row: Pick<EvaluationRow, "task" | "row_index" | "repeat">) => void
  readonly addFailure: (error: unknown, row: Pick<EvaluationRow, "task" | "row_index">) => void
  /** Notes the progress of a shard that runs. */
  progressed(shard: number, progress: JobProgress): void
  /** Keeps the findings of a shard that has asked its rows. */
  keepFindings(progress: JobProgress): void
  /** Leaves out a shard that no longer runs. */
  forget(shard: number): void
  /** Keeps the first reason for which the job has to stop. */
  stopJob(stop: ShardStop): void
  /** Notes an error that ends the job. */
  addError(error: AssayError): void
  readonly hasStopped: boolean
  /** Takes the news. Its events are not in the next news, unless they are put back. */
  take(inFlight: number): ShardNews
  /** Puts events back that could not be sent. */
  putBack(events: readonly NewJobEvent[]): void
}

/** Maximum number of log lines of a worker. Failures are counted in conditions. */
const MAX_LINES = 50

/** @param now returns milliseconds since 1970, UTC */
export function createShardReport(now: () => number): ShardReport {
  const finder = createConditionFinder({ now })
  const running = new Map<number, JobProgress>()
  let done: ShardFindings = NO_FINDINGS
  let events: NewJobEvent[] = []
  let lines = 0
  let stop: ShardStop | undefined

  return {
    log({ level, message }) {
      // Each shard would log its begin and its end.
      if (level === "info" || ++lines > MAX_LINES) return
      const more = lines === MAX_LINES ? " (further lines of this worker are left out)" : ""
      events.push({ kind: "log", data: { level, message: message + more } })
    },
    addRow: (row) => finder.addRow(row),
    addRetry: (error, row) => finder.addRetry(error, row),
    addFailure: (error, row) => finder.addError(error, { row }),
    progressed: (shard, progress) => void running.set(shard, progress),
    keepFindings(progress) {
      done = joinFindings([done, findingsOf(progress)])
    },
    forget: (shard) => void running.delete(shard),
    stopJob(reason) {
      stop ??= reason
    },
    addError(error) {
      finder.addError(error)
      stop ??= { code: error.code, message: error.message }
    },
    get hasStopped() {
      return stop !== undefined
    },
    take(inFlight) {
      const counts = new Map([...running].map(([shard, progress]) => [shard, countsOf(progress)]))
      const found = joinFindings([done, ...[...running.values()].map(findingsOf)])
      const news = {
        counts,
        findings: { ...found, conditions: finder.list(), happened: finder.findings() },
        events,
        stop,
        inFlight,
      }
      events = []
      return news
    },
    putBack(unsent) {
      events = [...unsent, ...events]
    },
  }
}
