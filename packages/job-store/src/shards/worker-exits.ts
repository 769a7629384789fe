import { sql } from "kysely"
import { type Database, type Queries, notify } from "@assay/database"

const noticeOf = (jobId: string) => `left ${jobId}`

/** Tells all servers that a worker has left a job, when the transaction commits. */
export async function noteExit(queries: Queries, jobId: string): Promise<void> {
  await sql`select ${notify(sql`${noticeOf(jobId)}`)}`.execute(queries)
}

/** Calls `onExit` for each worker that leaves a job, as far as notices arrive. Returns a function that ends it. */
export function listenToExits(
  { notices }: Pick<Database, "notices">,
  jobId: string,
  onExit: () => void,
): () => Promise<void> {
  const onNotice = (text: string) => {
    if (text === noticeOf(jobId)) onExit()
  }
  return notices.listen({ onNotice, onHearing: () => {} })
}
