import type { Notices } from "@assay/database"

/** Milliseconds between two reports of missed notices while the database delivers none. */
const DEAF_MS = 10_000
/** Milliseconds for which notices are heard after nobody holds the listening: followers often come back. */
const LINGER_MS = 60_000

export interface ChangeListening {
  /** Listens until it is disposed of. */
  hold(): Disposable
  close(): Promise<void>
}

interface Hearing {
  readonly onNotice: (text: string) => void
  /** Called when notices may have been missed. */
  readonly onMissed: () => void
}

/** Listens to notices while somebody holds it. Without notices, it says every few seconds that some were missed. */
export function createListening(notices: Notices, { onNotice, onMissed }: Hearing): ChangeListening {
  let held = 0
  let stop: (() => Promise<void>) | undefined
  let deaf: NodeJS.Timeout | undefined
  let lingering: NodeJS.Timeout | undefined
  const onHearing = (isHearing: boolean) => {
    clearInterval(deaf)
    deaf = isHearing ? undefined : setInterval(onMissed, DEAF_MS).unref()
    onMissed()
  }
  const end = async () => {
    clearInterval(deaf)
    clearTimeout(lingering)
    const stopping = stop
    stop = undefined
    await stopping?.()
  }
  return {
    hold(): Disposable {
      held += 1
      clearTimeout(lingering)
      stop ??= notices.listen({ onNotice, onHearing })
      return {
        [Symbol.dispose]() {
          held -= 1
          if (held > 0) return
          // After this time, changes are missed until the next follower comes.
          lingering = setTimeout(() => void end().then(onMissed), LINGER_MS).unref()
        },
      }
    },
    close: end,
  }
}
