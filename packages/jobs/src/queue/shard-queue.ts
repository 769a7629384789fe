import { createHash } from "node:crypto"
import type { OpenedShards, ShardAgain } from "@assay/job-store"
import type { PgBoss } from "pg-boss"
import { type Delivery, deliverMessages, type DeliveryOptions, type MessageHandler } from "./deliver-messages.ts"
import { LOST_SHARDS, SHARDS } from "./open-boss.ts"
import { type QueueBell, SILENT_BELL } from "./queue-bell.ts"

/** Says that a shard of one opening of a job waits for a worker. */
export interface ShardMessage {
  readonly jobId: string
  readonly opening: number
  readonly shard: number
  /** Number of records of rows that the shard had when it was sent again after losses. Absent: it was not. */
  readonly records?: number
}

/** The job whose shards are sent. */
interface SentJob {
  readonly id: string
  readonly workspace: string
}

/** Adds shards to the queue of a database, and removes them. */
export interface ShardSender {
  /** Adds shards. Those that were added before stay as they are. Their turns come between those of other jobs. */
  send(job: SentJob, opened: OpenedShards): Promise<void>
  /** Removes shards, also those that a worker has. */
  withdraw(jobId: string, opened: Omit<OpenedShards, "peers">): Promise<void>
}

export interface ShardDeliveryOptions extends Pick<
  DeliveryOptions<ShardMessage>,
  "handler" | "concurrency" | "bell" | "onError" | "onLooked"
> {
  /** Maximum number of shards of one workspace that all workers together run at the same time. Absent: any number. */
  readonly maxPerWorkspace?: number | undefined
  /** Called with shards that one worker after another was lost with. Returns what is sent again. Undefined: the shard is given up. */
  readonly onLost: (message: ShardMessage) => Promise<ShardAgain | undefined>
  /** Milliseconds between two looks at the queue. Default 500. */
  readonly pollMs?: number | undefined
}

/** Messages in one statement. */
const STATEMENT_MESSAGES = 1000
/** A shard that waits for many turns has the lowest priority that fits. */
const LAST_TURN = 2 ** 31 - 1

export function createShardSender(boss: PgBoss, bell: QueueBell = SILENT_BELL): ShardSender {
  return {
    async send({ id: jobId, workspace }, { opening, shards, peers }) {
      const first = await nextTurn(boss)
      for (let at = 0; at < shards.length; at += STATEMENT_MESSAGES) {
        const messages = shards.slice(at, at + STATEMENT_MESSAGES).map((shard, index) => ({
          id: messageId({ jobId, opening, shard }),
          data: { jobId, opening, shard },
          group: { id: workspace },
          // Each further job of a workspace gets every second, third, … turn, so that workspaces with fewer jobs do not wait for it.
          priority: -Math.min(first + (at + index) * peers, LAST_TURN),
        }))
        await boss.insert(SHARDS, messages, { returnId: false })
      }
      await bell.ring(SHARDS)
    },
    async withdraw(jobId, { opening, shards }) {
      for (let at = 0; at < shards.length; at += STATEMENT_MESSAGES) {
        const some = shards.slice(at, at + STATEMENT_MESSAGES)
        await boss.deleteJob(
          SHARDS,
          some.map((shard) => messageId({ jobId, opening, shard })),
        )
      }
    },
  }
}

/** Delivers shards to this process, the one whose turn is next first. */
export function deliverShards(
  boss: PgBoss,
  { maxPerWorkspace, onLost, pollMs = 500, ...options }: ShardDeliveryOptions,
): Pick<Delivery, "look" | "close"> {
  const lost: MessageHandler<ShardMessage> = async (message) => {
    const again = await onLost(message)
    if (again !== undefined) {
      await sendAgain(boss, message, again)
      await options.bell?.ring(SHARDS)
    }
    return "done"
  }
  // One for each look, so that the shards of a small job are not all taken by the first worker that looks.
  const own = { queue: SHARDS, groupConcurrency: maxPerWorkspace, perLook: 1, pollMs }
  const ofShards = deliverMessages(boss, { ...options, ...own })
  const ofLost = deliverMessages(boss, {
    queue: LOST_SHARDS,
    handler: lost,
    concurrency: 1,
    pollMs: 4 * pollMs,
    onError: options.onError,
  })
  return {
    look: () => ofShards.look(),
    close: async () => void (await Promise.all([ofShards.close(), ofLost.close()])),
  }
}

/** Sends a shard that was lost as the next one. If this process ends in between, the lost message is delivered to another one, which does the same. */
async function sendAgain(boss: PgBoss, message: ShardMessage, { workspace, records }: ShardAgain): Promise<void> {
  const id = messageId(message)
  // The failed message has the same id.
  await boss.deleteJob(SHARDS, id)
  const priority = -Math.min(await nextTurn(boss), LAST_TURN)
  await boss.insert(SHARDS, [{ id, data: { ...message, records }, group: { id: workspace }, priority }], {
    returnId: false,
  })
}

/** Returns the turn of the shard that is taken next: of a job that is added now, the first shard has the same. */
async function nextTurn(boss: PgBoss): Promise<number> {
  const { rows } = await boss
    .getDb()
    .executeSql("select coalesce(-max(priority), 0) as turn from pgboss.job where name = $1 and state < 'active'", [
      SHARDS,
    ])
  return Number(rows[0].turn)
}

/** Returns the id of the message of a shard, as a UUID of our own making (version 8). */
function messageId({ jobId, opening, shard }: ShardMessage): string {
  const hash = createHash("sha256").update(`${jobId}/${opening}/${shard}`).digest("hex")
  return `${hash.slice(0, 8)}-${hash.slice(8, 12)}-8${hash.slice(13, 16)}-a${hash.slice(17, 20)}-${hash.slice(20, 32)}`
}
