import { describeProgress } from "@assay/attempts"
import type { JobNews, NewJobEvent } from "@assay/registry"
import type { Condition, DatasetPin } from "@assay/schemas"
import { type JobLogLine, type JobProgress } from "@assay/results"

/** Collects the news of a job between two beats of its runner. */
export interface JobReport {
  readonly progress: (progress: JobProgress) => void
  readonly log: (line: JobLogLine) => void
  readonly conditions: (conditions: readonly Condition[]) => void
  readonly pins: (pins: readonly DatasetPin[]) => void
  /** Notes that the journal has new rows. */
  readonly newRows: () => void
  /** Notes that the runner releases the job soon. */
  readonly stopping: () => void
  /** Sends the news. If `send` throws, the news are sent again with the next call. */
  send<T>(send: (news: JobNews) => Promise<T>): Promise<T>
}

/** Maximum number of log lines between two beats: a harness can write more than anybody reads. */
const MAX_LINES = 2000

export function createJobReport(): JobReport {
  let news: JobNews = {}
  let log: NewJobEvent[] = []
  let leftOut = 0
  const reported = new Set<string>()

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
        // A condition becomes an event when it is found first. Its count is in the record.
        if (!reported.has(code)) log.push({ kind: "condition", data: { code, title, message, remedy, count } })
        reported.add(code)
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

    async send(send) {
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
