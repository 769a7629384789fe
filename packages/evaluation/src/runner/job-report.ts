import type { JobNews, NewJobEvent } from "@assay/registry"
import type { Condition, DatasetPin } from "@assay/schemas"
import { type JobLogLine, type JobProgress, describeProgress } from "../jobs/job-progress.ts"

/** What happens in a job between two beats of its runner. */
export interface JobReport {
  readonly progress: (progress: JobProgress) => void
  readonly log: (line: JobLogLine) => void
  readonly conditions: (conditions: readonly Condition[]) => void
  readonly pins: (pins: readonly DatasetPin[]) => void
  /** That rows were journalled. */
  readonly newRows: () => void
  /** That the job is put down. */
  readonly stopping: () => void
  /** Hands on what is new. Where `send` throws, that is handed on the next time. */
  hand<T>(send: (news: JobNews) => Promise<T>): Promise<T>
}

/** Log lines that are kept of one beat: a harness can write more than anybody reads. */
const MAX_LINES = 2000

export function createJobReport(): JobReport {
  let news: JobNews = {}
  let log: NewJobEvent[] = []
  let leftOut = 0
  const told = new Map<string, number>()

  function take(): JobNews {
    const left = { level: "warn", message: `${leftOut} more lines of the log are left out.` }
    const rest: NewJobEvent[] = leftOut === 0 ? [] : [{ kind: "log", data: left }]
    const { status_details: details } = news
    const progress: NewJobEvent[] = details === undefined ? [] : [{ kind: "progress", data: details }]
    const taken = { ...news, events: [...(news.events ?? []), ...log, ...rest, ...progress] }
    news = {}
    log = []
    leftOut = 0
    return taken
  }

  return {
    progress(progress) {
      news = { ...news, status_details: describeProgress(progress) }
    },

    log({ level, message }) {
      if (log.length < MAX_LINES) log.push({ kind: "log", data: { level, message } })
      else leftOut++
    },

    conditions(conditions) {
      for (const { code, title, message, remedy, count } of conditions) {
        // Each is told when it is found; that it is met again is in the record.
        if (!told.has(code)) log.push({ kind: "condition", data: { code, title, message, remedy, count } })
        told.set(code, count)
      }
      news = { ...news, conditions }
    },

    pins(pins) {
      news = { ...news, pins }
    },

    newRows() {
      news = { ...news, has_new_rows: true }
    },

    stopping() {
      news = { ...news, is_stopping: true }
    },

    async hand(send) {
      const taken = take()
      try {
        return await send(taken)
      } catch (error) {
        const events = (taken.events ?? []).filter(({ kind }) => kind !== "progress")
        news = { ...taken, ...news, events }
        throw error
      }
    },
  }
}
