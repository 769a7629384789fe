import type { JobLogLine, TimedLogLine } from "@assay/evaluation"
import type { Jobs } from "@assay/registry"

const PAGE = 1000

/** The log of a job, from the events that its runners kept: also of those on other machines. */
export async function* jobLogLines(jobs: Pick<Jobs, "listEvents">, id: string): AsyncGenerator<TimedLogLine, void> {
  for (let last = 0; ;) {
    const events = await jobs.listEvents(id, last, PAGE)
    for (const { kind, data, created_at, seq } of events) {
      last = seq
      if (kind === "log") yield { at: Date.parse(created_at), ...(data as JobLogLine) }
    }
    if (events.length < PAGE) return
  }
}
