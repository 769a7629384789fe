import type { SharedDatabase } from "@assay/database"
import { ANYTHING, formatChanges, type Change } from "./change.ts"

/** Milliseconds in which changes are collected before they are sent. */
const SEND_MS = 100
/** More changes than these are sent as a change of anything. Notices have at most 8,000 bytes. */
const MAX_SENT = 20

export interface ChangeSender {
  send(change: Change): void
  /** Sends what waits. */
  close(): Promise<void>
}

/** Sends changes to all servers of a database, several with one notice. Failures are silent: a database that is away is heard nowhere. */
export function createSender(shared: SharedDatabase | undefined): ChangeSender {
  const waiting = new Map<string, Change>()
  let timer: NodeJS.Timeout | undefined
  let sending = Promise.resolve()
  const flush = () => {
    timer = undefined
    const changes = waiting.size > MAX_SENT ? [ANYTHING] : [...waiting.values()]
    waiting.clear()
    sending = sending.then(() => shared?.notify(formatChanges(changes))).catch(() => {})
  }
  return {
    send(change: Change) {
      waiting.set(formatChanges([change]), change)
      timer ??= setTimeout(flush, SEND_MS).unref()
    },
    async close(): Promise<void> {
      clearTimeout(timer)
      if (waiting.size > 0) flush()
      await sending
    },
  }
}
