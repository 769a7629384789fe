import type { VisibleWorkspaces } from "@assay/database"
import type { RegistryContext } from "../registry-context.ts"
import { ANYTHING, parseChanges, type Change } from "./change.ts"
import { createChangeLog } from "./change-log.ts"
import { createListening } from "./change-listening.ts"
import { createSender } from "./change-sender.ts"

/** News for a follower. */
export interface ChangeNews {
  /** The place in the log of this server, from which another `follow` goes on. */
  readonly place: string
  /** The changes since the news before. Undefined: anything may have changed, because some changes are not known. Empty: nothing has changed. */
  readonly changes: readonly Change[] | undefined
}

export interface FollowOptions {
  /** The place that a follower has seen. Absent: it gets changes from now on. */
  readonly after?: string | undefined
  /** Returns which workspaces the follower sees. It is asked before each news. @throws what ends the following */
  readonly visible: () => Promise<VisibleWorkspaces>
  /** Maximum number of milliseconds between two news. */
  readonly everyMs: number
  readonly signal: AbortSignal
}

/** The changes of records, as all servers of the database announce them. */
export interface Changes {
  /** Announces a change to the followers of all servers. */
  announce(change: Change): void
  /** Yields news at once, when something has changed, and after `everyMs` without a change, until the signal aborts. */
  follow(options: FollowOptions): AsyncGenerator<ChangeNews, void, undefined>
  close(): Promise<void>
}

/** Changes that are kept for those who continue. */
const LOG_SIZE = 1000
/** Milliseconds in which changes are collected before followers are woken. */
const WAKE_MS = 300

/** Creates the changes of a registry. It listens to the database while there are followers. */
export function createChanges({ database, newId }: Pick<RegistryContext, "database" | "newId">): Changes {
  const id = newId("changes")
  const log = createChangeLog(LOG_SIZE)
  const bell = createBell(WAKE_MS)
  const sender = createSender(database.shared)
  const notices = createListening(database.notices, {
    onNotice: (text) => parseChanges(text).forEach(add),
    onMissed() {
      log.forget()
      bell.ring()
    },
  })

  function add(change: Change): void {
    if (change.kind === ANYTHING.kind) log.forget()
    else log.add(change)
    bell.ring()
  }

  return {
    // A shared database returns the notice to this server, too.
    announce: (change) => (database.shared === undefined ? add(change) : sender.send(change)),
    async *follow({ after, visible, everyMs, signal }) {
      using _listening = notices.hold()
      const given = after?.split(".")
      let seen = given === undefined ? log.last() : given[0] === id ? Number(given[1]) : Number.NaN
      while (!signal.aborted) {
        const workspaces = await visible()
        const changes = Number.isNaN(seen) ? undefined : log.since(seen)
        seen = log.last()
        yield { place: `${id}.${seen}`, changes: changes?.filter((change) => isVisible(change, workspaces)) }
        // A slow reader may have missed the bell.
        await bell.heard(log.last() === seen ? everyMs : WAKE_MS, signal)
      }
    },
    async close() {
      bell.close()
      await Promise.all([notices.close(), sender.close()])
    },
  }
}

function isVisible({ workspace }: Change, visible: VisibleWorkspaces): boolean {
  return workspace === null || visible === "all" || visible.includes(workspace)
}

/** Wakes those who wait, some time after it was rung. */
function createBell(delayMs: number) {
  const waiting = new Set<() => void>()
  let timer: NodeJS.Timeout | undefined
  const wake = () => {
    timer = undefined
    for (const resolve of waiting) resolve()
  }
  return {
    ring() {
      timer ??= setTimeout(wake, delayMs).unref()
    },
    /** Resolves when the bell has rung, after some milliseconds, or when the signal aborts. */
    async heard(maxMs: number, signal: AbortSignal): Promise<void> {
      const { promise, resolve } = Promise.withResolvers<void>()
      const wakeUp = () => resolve()
      const tooLong = setTimeout(wakeUp, maxMs)
      signal.addEventListener("abort", wakeUp)
      waiting.add(wakeUp)
      if (signal.aborted) resolve()
      await promise
      waiting.delete(wakeUp)
      signal.removeEventListener("abort", wakeUp)
      clearTimeout(tooLong)
    },
    close: () => clearTimeout(timer),
  }
}
