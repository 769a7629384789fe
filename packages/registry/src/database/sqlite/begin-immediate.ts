import { setTimeout } from "node:timers/promises"
import type { SqliteConnection } from "./sqlite-connection.ts"

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
