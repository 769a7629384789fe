import { sql, type Expression, type RawBuilder } from "kysely"

/** The channel of notices in a shared database. */
export const CHANNEL = "assay"

/**
 * Returns an expression that sends a short text to all servers when its transaction commits. Equal texts of one transaction
 * are sent once. SQLite has a function of this name from us.
 */
export function notify(text: Expression<string>): RawBuilder<unknown> {
  return sql`pg_notify(${CHANNEL}, ${text})`
}

export interface NoticeListener {
  readonly onNotice: (text: string) => void
  /** Called when the listener begins to hear notices, and when it stops. It misses the notices of the time between. */
  readonly onHearing: (isHearing: boolean) => void
}

/** The notices of all servers of a database. */
export interface Notices {
  /** Starts to listen. Returns a function that ends it. */
  readonly listen: (listener: NoticeListener) => () => Promise<void>
}

/** The remedy if no notices arrive. */
export const NO_NOTICES =
  "The database delivers no notices, so watched jobs are looked at 4 times a second. Behind PgBouncer, set DATABASE_NOTIFY_URL to the address of PostgreSQL itself."

/** Returns a sentence if no notices of a shared database arrive here. */
export async function checkNotices({ listen }: Notices): Promise<string | undefined> {
  const heard = Promise.withResolvers<boolean>()
  const stop = listen({ onNotice: () => {}, onHearing: heard.resolve })
  const hears = await heard.promise
  await stop()
  return hears ? undefined : NO_NOTICES
}

/** The notices of a database that belongs to this server. */
export interface LocalNotices extends Notices {
  /** Keeps a notice until `deliver`. */
  add(text: string): void
  /** Delivers the notices of committed transactions. */
  readonly deliver: () => void
}

export function createLocalNotices(): LocalNotices {
  const listeners = new Set<NoticeListener>()
  const waiting = new Set<string>()
  return {
    add: (text) => void waiting.add(text),
    deliver() {
      const texts = [...waiting]
      waiting.clear()
      for (const text of texts) for (const listener of listeners) listener.onNotice(text)
    },
    listen(listener) {
      listeners.add(listener)
      listener.onHearing(true)
      return async () => void listeners.delete(listener)
    },
  }
}
