import type { JobEventKind, Queries } from "@assay/database"
import { formatTimestamp } from "@assay/schemas"
import { noticeOfEvents } from "./job-notices.ts"

/** An event of a job. */
export interface NewJobEvent {
  readonly kind: JobEventKind
  readonly data: object
}

export interface JobEvent extends NewJobEvent {
  /** From 1. A reader that has seen a number never misses an event with a smaller one. */
  readonly seq: number
  readonly created_at: string
}

/**
 * Adds events to a job in a transaction. The numbers come from the job's row, so that transactions wait for each other and
 * a reader that has seen a number never misses a smaller one. Only the newest progress event is kept. Watches of the job are
 * woken when the transaction commits.
 */
export async function addEvents(
  queries: Queries,
  jobId: string,
  events: readonly NewJobEvent[],
  time: number,
): Promise<void> {
  if (events.length === 0) return
  const numbered = await queries
    .updateTable("evaluation_jobs")
    .set((row) => ({ last_event: row("last_event", "+", events.length) }))
    .where("id", "=", jobId)
    .returning(["last_event", noticeOfEvents().as("notice")])
    .executeTakeFirst()
  if (numbered === undefined) return
  if (events.some(({ kind }) => kind === "progress")) {
    await queries
      .deleteFrom("evaluation_events")
      .where((row) => row.and({ job_id: jobId, kind: "progress" }))
      .execute()
  }
  const first = numbered.last_event - events.length + 1
  const rows = events.map(({ kind, data }, index) => ({
    job_id: jobId,
    seq: first + index,
    kind,
    data: JSON.stringify(data),
    created_at: time,
  }))
  for (let at = 0; at < rows.length; at += STATEMENT_ROWS) {
    await queries
      .insertInto("evaluation_events")
      .values(rows.slice(at, at + STATEMENT_ROWS))
      .execute()
  }
}

/** Rows in one statement. Databases limit the number of parameters. */
const STATEMENT_ROWS = 1000

/** Lists the events of a job after a number, oldest first. */
export async function listEvents(queries: Queries, jobId: string, after: number, limit: number): Promise<JobEvent[]> {
  const rows = await queries
    .selectFrom("evaluation_events")
    .selectAll()
    .where("job_id", "=", jobId)
    .where("seq", ">", after)
    .orderBy("seq")
    .limit(limit)
    .execute()
  return rows.map(({ seq, kind, data, created_at }) => ({
    seq,
    kind,
    data: JSON.parse(data),
    created_at: formatTimestamp(created_at),
  }))
}
