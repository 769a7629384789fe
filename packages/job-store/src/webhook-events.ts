import { readDatabaseTime, databaseTime, type Queries } from "@assay/database"
import type { JobsContext } from "./jobs-context.ts"
import type { JobStatus, JobStatusDetails, JobVerdict } from "@assay/schemas"

/** The state of a job at its end. */
export interface EndedJob {
  readonly workspace: string
  readonly status: JobStatus
  readonly message: string
  readonly attempt: number
  readonly gates: NonNullable<JobStatusDetails["gates"]>
  readonly verdict: JobVerdict | null
}

/** The end of a job that is still to be reported. */
export interface WebhookEvent {
  /** The same for each try, so that a receiver can drop what it has already. It has no full stop. */
  readonly id: string
  readonly job: string
  readonly ended: EndedJob
  /** Milliseconds since 1970. */
  readonly at: number
  /** From 1. */
  readonly tries: number
}

/** Ends of jobs on their way to the webhook. They survive restarts, and one server at a time sends each. */
export interface WebhookEvents {
  /** Notes that this server sends events. Ends of jobs are kept for a day after the last call. */
  announce(): Promise<void>
  /** Takes the event that waits longest. For two minutes no other server takes it. Undefined if none is due. */
  take(): Promise<WebhookEvent | undefined>
  /** Removes an event that was delivered or given up. */
  remove(event: Pick<WebhookEvent, "id" | "tries">): Promise<void>
  /** Makes an event due again. */
  postpone(event: Pick<WebhookEvent, "id" | "tries">, ms: number): Promise<void>
}

const SENDER = "webhook"
const SENDER_MS = 86_400_000
const LEASE_MS = 120_000

export function createWebhookEvents(context: Pick<JobsContext, "database" | "now">): WebhookEvents {
  const { database } = context

  const isDue = () =>
    database.read((queries) =>
      queries.selectFrom("webhook_events").select("id").where("due_at", "<=", databaseTime(context)).limit(1).execute(),
    )

  return {
    async announce() {
      await database.write(async (queries) => {
        const seen_at = await readDatabaseTime(queries, context)
        await queries
          .insertInto("webhook_senders")
          .values({ id: SENDER, seen_at })
          .onConflict((conflict) => conflict.column("id").doUpdateSet({ seen_at }))
          .execute()
      })
    },

    async take() {
      // Most looks find nothing, and need no transaction.
      if ((await isDue()).length === 0) return undefined
      return database.write(async (queries) => {
        const time = await readDatabaseTime(queries, context)
        const row = await queries
          .selectFrom("webhook_events")
          .selectAll()
          .where("due_at", "<=", time)
          .orderBy("due_at")
          .limit(1)
          .modifyEnd(database.dialect.forUpdateOfFree)
          .executeTakeFirst()
        if (row === undefined) return undefined
        const { id, job_id: job, data, created_at: at } = row
        const tries = row.tries + 1
        await queries
          .updateTable("webhook_events")
          .set({ tries, due_at: time + LEASE_MS })
          .where("id", "=", id)
          .execute()
        return { id, job, ended: JSON.parse(data) as EndedJob, at, tries }
      })
    },

    // A server that was too slow no longer holds the event, so that another one has counted a further try.
    async remove({ id, tries }) {
      await database.write((queries) =>
        queries.deleteFrom("webhook_events").where("id", "=", id).where("tries", "=", tries).execute(),
      )
    },

    async postpone({ id, tries }, ms) {
      await database.write(async (queries) => {
        const due_at = Math.round((await readDatabaseTime(queries, context)) + ms)
        await queries
          .updateTable("webhook_events")
          .set({ due_at })
          .where("id", "=", id)
          .where("tries", "=", tries)
          .execute()
      })
    },
  }
}

/** Notes the end of a job in its transaction, if a server sends events. */
export async function noteJobEnd(queries: Queries, job: string, ended: EndedJob, time: number): Promise<void> {
  const sender = await queries
    .selectFrom("webhook_senders")
    .select("id")
    .where("seen_at", ">", time - SENDER_MS)
    .executeTakeFirst()
  if (sender === undefined) return
  await queries
    .insertInto("webhook_events")
    .values({
      id: `msg_${job}_${time}`,
      job_id: job,
      data: JSON.stringify(ended),
      tries: 0,
      created_at: time,
      due_at: 0,
    })
    // A second end in the same millisecond is the same end.
    .onConflict((conflict) => conflict.column("id").doNothing())
    .execute()
}
