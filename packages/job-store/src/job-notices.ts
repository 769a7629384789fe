import { sql, type RawBuilder } from "kysely"
import { notify } from "@assay/database"

/** News of a job: the number of its last event. Infinity if the job was removed. */
interface JobNotice {
  readonly jobId: string
  readonly last: number
}

const REMOVED = "removed"

/** Returns an expression over the row of a job that notifies all servers of the number of its last event, and of its workspace. */
export function noticeOfEvents(): RawBuilder<unknown> {
  return notify(sql`id || ' ' || last_event || ' ' || namespace`)
}

/** Returns an expression that notifies all servers that a job of a workspace is being removed. */
export function noticeOfRemoval(jobId: string, workspace: string): RawBuilder<unknown> {
  return notify(sql`${`${jobId} ${REMOVED} ${workspace}`}`)
}

export function parseJobNotice(text: string): JobNotice {
  const [jobId = "", last = ""] = text.split(" ")
  return { jobId, last: last === REMOVED ? Number.POSITIVE_INFINITY : Number(last) }
}
