import { setImmediate, setTimeout } from "node:timers/promises"
import type { Database } from "../database.ts"
import { rollBack, sqliteKysely, type SqliteConnection } from "./connection.ts"

/**
 * Waits until all commits are on the disk. SQLite would do it within the commit, on this thread, and all requests would wait
 * for the disk.
 */
export type SyncLog = () => Promise<void>

interface Waiting {
  readonly durable: boolean
  readonly small: boolean
  /** Runs the work. Returns a function that resolves the caller's promise. It is called after the commit. */
  run(): Promise<() => void>
  fail(error: unknown): void
}

/** Maximum number of writes in one transaction. All callers wait for the last one. */
const GROUP = 64

/**
 * Groups the writes of a database with one writer. All writes of one turn of the event loop run in one transaction and
 * share one `fsync`. If one of them fails, they run again, each with a savepoint, so that it does not affect the others.
 * `onCommit` is called after each commit, and `checkFirst` before writes that have to be durable; they fail if it throws.
 */
export function groupWriter(
  connection: SqliteConnection,
  syncLog: SyncLog,
  onCommit: () => void = () => {},
  checkFirst: () => void = () => {},
): Database["write"] {
  const queries = sqliteKysely(connection)
  const waiting: Waiting[] = []
  let isWriting = false
  let undoesInMemory = false

  /** Each row of a table with many indexes would otherwise create a file, and large writes would otherwise fill the memory. */
  function keepUndoFor(group: readonly Waiting[]): void {
    const isSmall = group.every(({ small }) => small)
    if (isSmall !== undoesInMemory) connection.configure(`pragma temp_store = ${isSmall ? "memory" : "default"}`)
    undoesInMemory = isSmall
  }

  async function writeAll(): Promise<void> {
    isWriting = true
    while (waiting.length > 0) {
      // Wait for the other requests of this turn.
      await setImmediate()
      const group = waiting.splice(0, GROUP)
      keepUndoFor(group)
      await writeGroup(connection, group, { syncLog, onCommit, checkFirst })
    }
    isWriting = false
  }

  return (work, { durable = true, small = false } = {}) =>
    new Promise((resolve, reject) => {
      waiting.push({
        durable,
        small,
        async run() {
          const result = await work(queries)
          return () => resolve(result)
        },
        fail: reject,
      })
      if (!isWriting) void writeAll()
    })
}

interface Surroundings {
  readonly syncLog: SyncLog
  readonly onCommit: () => void
  readonly checkFirst: () => void
}

/** Writes a group. Never throws: every failure goes to the write that it belongs to. */
async function writeGroup(
  connection: SqliteConnection,
  group: readonly Waiting[],
  { syncLog, onCommit, checkFirst }: Surroundings,
): Promise<void> {
  const isDurable = group.some(({ durable }) => durable)
  try {
    if (isDurable) checkFirst()
    const succeeded = (await runTogether(connection, group)) ?? (await runApart(connection, group))
    onCommit()
    if (isDurable) await syncLog()
    for (const resolve of succeeded) resolve()
  } catch (error) {
    // A second failure has no effect on writes that have already failed.
    for (const work of group) work.fail(error)
    rollBack(connection)
  }
}

type Succeeded = readonly (() => void)[]

/**
 * Runs a group without savepoints: at each of them the search index would be written. Returns undefined, and has changed
 * nothing, if one of the writes fails.
 */
async function runTogether(connection: SqliteConnection, group: readonly Waiting[]): Promise<Succeeded | undefined> {
  await beginImmediate(connection)
  const succeeded: (() => void)[] = []
  try {
    for (const work of group) succeeded.push(await work.run())
  } catch (error) {
    if (group.length === 1) throw error
    rollBack(connection)
    return undefined
  }
  connection.run("commit")
  return succeeded
}

/** Runs a group with a savepoint for each write, so that a failed one does not affect the others. */
async function runApart(connection: SqliteConnection, group: readonly Waiting[]): Promise<Succeeded> {
  await beginImmediate(connection)
  const succeeded: (() => void)[] = []
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
  return succeeded
}

/** @throws `reason` if it has ended the whole transaction, as a full disk does */
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
 * Begins a transaction that writes. It waits for a transaction of another process without blocking the event loop, as
 * SQLite's own waiting would.
 * @throws SQLite's error 5 after 5 seconds
 */
async function beginImmediate(connection: SqliteConnection): Promise<void> {
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
