import { setImmediate, setTimeout } from "node:timers/promises"
import type { Database } from "../database.ts"
import { rollBack, type SqliteConnection } from "./sqlite-connection.ts"
import { sqliteKysely } from "./sqlite-kysely.ts"

interface Waiting {
  readonly durable: boolean
  /** Runs the work and answers with what tells its caller, which is for after the commit. */
  run(): Promise<() => void>
  fail(error: unknown): void
}

/** Works in one transaction at most: their callers all wait for the last of them. */
const GROUP = 64

/**
 * Writes of a database with one writer. What is asked for in the same turn of the event loop is put into one
 * transaction, so that it shares one `fsync`; a savepoint keeps apart what fails.
 */
export function groupWriter(connection: SqliteConnection): Database["write"] {
  const queries = sqliteKysely(connection)
  const waiting: Waiting[] = []
  let isWriting = false

  async function writeAll(): Promise<void> {
    isWriting = true
    while (waiting.length > 0) {
      // Requests that came in together reach this line one after the other: let all of them arrive.
      await setImmediate()
      await writeGroup(connection, waiting.splice(0, GROUP))
    }
    isWriting = false
  }

  return (work, { durable = true } = {}) =>
    new Promise((resolve, reject) => {
      waiting.push({
        durable,
        async run() {
          const answer = await work(queries)
          return () => resolve(answer)
        },
        fail: reject,
      })
      if (!isWriting) void writeAll()
    })
}

/** Never throws: each work of the group learns what happened to it. */
async function writeGroup(connection: SqliteConnection, group: readonly Waiting[]): Promise<void> {
  const succeeded: (() => void)[] = []
  try {
    // Written like this, a commit is in the log at once and on the disk with the next one that waits for it.
    connection.run(group.some(({ durable }) => durable) ? "pragma synchronous = full" : "pragma synchronous = normal")
    await beginImmediate(connection)
    for (const work of group) {
      connection.run("savepoint work")
      try {
        succeeded.push(await work.run())
      } catch (error) {
        work.fail(error)
        undo(connection, error)
      }
      connection.run("release work")
    }
    connection.run("commit")
    for (const tell of succeeded) tell()
  } catch (error) {
    // To fail again does no harm to those that have failed already.
    for (const work of group) work.fail(error)
    rollBack(connection)
  }
}

/** @throws `reason` where it has ended the whole transaction, as a full disk does */
function undo(connection: SqliteConnection, reason: unknown): void {
  try {
    connection.run("rollback to work")
  } catch {
    throw reason
  }
}

const BUSY = 5
const LONGEST_PAUSE_MS = 32
const PATIENCE_MS = 5000

/**
 * Begins a transaction that writes. While another process is at its own, this waits without holding up the event loop,
 * as SQLite's own waiting would.
 * @throws SQLite's error 5 after five seconds
 */
export async function beginImmediate(connection: SqliteConnection): Promise<void> {
  for (let waited = 0, pause = 1; ; waited += pause, pause = Math.min(pause * 2, LONGEST_PAUSE_MS)) {
    try {
      connection.run("begin immediate")
      return
    } catch (error) {
      const isBusy = error instanceof Error && "errcode" in error && error.errcode === BUSY
      if (!isBusy || waited >= PATIENCE_MS) throw error
      await setTimeout(pause)
    }
  }
}
