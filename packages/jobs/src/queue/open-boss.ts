import type { SharedDatabase } from "@assay/database"
import type { PgBoss } from "pg-boss"

/** The queue of whole jobs. Its messages say only that a job waits. */
export const JOBS = "assay-evaluation"
/** The queue of shards, and of those that one worker after another was lost with. */
export const SHARDS = "assay-shards"
export const LOST_SHARDS = "assay-lost-shards"

/** Without retries: a runner that finds a lost job queues it again. */
const JOBS_POLICY = { policy: "short", retryLimit: 0, deleteAfterSeconds: 60 }

/** Seconds without a heartbeat after which a worker is lost, and its shards are given to others. */
const HEARTBEAT_SECONDS = 15
/** Seconds between two looks for lost workers. */
const SUPERVISE_SECONDS = 5
const DAY_SECONDS = 86_400

const SHARDS_POLICY = {
  /** How often a shard is given to another worker, because the one before was lost or failed. */
  retryLimit: 5,
  heartbeatSeconds: HEARTBEAT_SECONDS,
  /** A shard that takes longer goes on with another worker. It is the most that pg-boss allows. */
  expireInSeconds: DAY_SECONDS - 1,
  retentionSeconds: 90 * DAY_SECONDS,
  deleteAfterSeconds: 60,
}

/** A message that no process settled would let its job wait for ever. */
const LOST_SHARDS_POLICY = { retryLimit: 1000, heartbeatSeconds: HEARTBEAT_SECONDS, deleteAfterSeconds: 60 }

/**
 * Opens pg-boss on a PostgreSQL database, shared by all its servers, with the queues of this product. Its tables are in the schema `pgboss`. It opens
 * no connections of its own.
 */
export async function openBoss(database: SharedDatabase, onError: (error: unknown) => void): Promise<PgBoss> {
  const { PgBoss: Boss } = await import("pg-boss")
  const boss = new Boss({
    // Without `listen`, which is ours: its own would be a second connection.
    db: { executeSql: (text, values) => database.executeSql(text, values) },
    schedule: false,
    superviseIntervalSeconds: SUPERVISE_SECONDS,
    monitorIntervalSeconds: SUPERVISE_SECONDS,
  })
  boss.on("error", onError)
  try {
    await boss.start()
    await boss.createQueue(JOBS, JOBS_POLICY)
    await boss.createQueue(LOST_SHARDS, LOST_SHARDS_POLICY)
    await boss.createQueue(SHARDS, { ...SHARDS_POLICY, deadLetter: LOST_SHARDS })
  } catch (error) {
    await boss.stop({ graceful: false })
    throw error
  }
  return boss
}
