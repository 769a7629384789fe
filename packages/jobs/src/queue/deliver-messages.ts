import type { Job, PgBoss } from "pg-boss"
import { type QueueBell, SILENT_BELL } from "./queue-bell.ts"

/**
 * Handles a message. `claim` is aborted when the message is given to another process. Returns whether it is done; otherwise it is delivered again
 * without counting as lost. @throws if it must be delivered again; that counts
 */
export type MessageHandler<T> = (data: T, claim: AbortSignal) => Promise<"done" | "given back">

export interface DeliveryOptions<T> {
  readonly queue: string
  readonly handler: MessageHandler<T>
  /** Maximum number of messages that are handled at the same time. */
  readonly concurrency: number
  /** Maximum number of messages that one look takes. Default: as many as may be handled. */
  readonly perLook?: number | undefined
  /** Maximum number of messages of one group that all processes together handle at the same time. Absent: any number. */
  readonly groupConcurrency?: number | undefined
  /** Milliseconds between two looks at the queue. */
  readonly pollMs: number
  /** Says when messages are there. Between its rings, a queue that had none is looked at more rarely. Absent: the queue is only looked at. */
  readonly bell?: QueueBell | undefined
  /** Called with errors, which are tried again. */
  readonly onError: (error: unknown) => void
  /** Called after each look. Messages that were taken are being handled by then. */
  readonly onLooked?: (() => void) | undefined
}

/** The delivery of messages to this process. */
export interface Delivery {
  /** Looks for messages at once. */
  look(): void
  /** Takes no more messages. */
  stop(): Promise<void>
  /** Takes no more messages. Returns when those that were taken are handled. */
  close(): Promise<void>
}

interface HeldMessage<T> {
  readonly message: Job<T>
  readonly claim: AbortController
}

interface DeliveryState<T extends object> {
  readonly boss: PgBoss
  readonly options: DeliveryOptions<T>
  readonly held: Set<HeldMessage<T>>
  readonly handling: Set<Promise<void>>
  isClosed: boolean
}

/** As many times longer is the time between two looks at a queue that had no message, while its bell is heard. */
const RARELY = 4
/** Milliseconds between two heartbeats. */
const BEAT_MS = 3000
/** Maximum number of milliseconds between two looks at a queue that does not respond. */
const MAX_PAUSE_MS = 10_000

/** Takes messages of a queue, handles them, and says while it does that this process is there. */
export function deliverMessages<T extends object>(boss: PgBoss, options: DeliveryOptions<T>): Delivery {
  const { queue, pollMs, bell = SILENT_BELL, onError, onLooked = () => {} } = options
  const state: DeliveryState<T> = { boss, options, held: new Set(), handling: new Set(), isClosed: false }
  let timer: NodeJS.Timeout | undefined
  let looking: Promise<void> | undefined
  let isDue = false
  let isHearing = false
  let pauseMs = pollMs

  /** Looks again until no look is due: a message that is added during a look may be missing in it. */
  async function lookWhileDue(): Promise<void> {
    let hasTaken = false
    while (isDue && !state.isClosed) {
      isDue = false
      hasTaken = await takeMessages(state, look)
      onLooked()
    }
    pauseMs = isHearing && !hasTaken ? RARELY * pollMs : pollMs
  }

  /** Looks for messages, one look at a time. The next look begins after this one has ended. */
  function look(): void {
    if (state.isClosed) return
    isDue = true
    if (looking !== undefined) return
    clearTimeout(timer)
    looking = lookWhileDue()
      .catch((error: unknown) => {
        pauseMs = Math.min(2 * pauseMs, MAX_PAUSE_MS)
        onError(error)
      })
      .finally(() => {
        looking = undefined
        if (!state.isClosed) timer = setTimeout(look, pauseMs)
      })
  }

  async function stop(): Promise<void> {
    state.isClosed = true
    clearTimeout(timer)
    await Promise.all([looking, stopListening()])
  }

  const beating = setInterval(() => void beat(state), BEAT_MS)
  const stopListening = bell.listen(queue, {
    onRing: look,
    onHearing(hears) {
      isHearing = hears
      // Nobody may have heard of messages that were added before.
      look()
    },
  })
  look()
  return {
    look,
    stop,
    async close() {
      await stop()
      await Promise.all(state.handling)
      clearInterval(beating)
    },
  }
}

/** Takes messages until none is there, or as many are handled as may be. Returns whether it has taken one. */
async function takeMessages<T extends object>(state: DeliveryState<T>, onFree: () => void): Promise<boolean> {
  const { boss, options, held, handling } = state
  const { queue, concurrency, groupConcurrency, perLook = concurrency } = options
  let taken = 0
  for (; taken < perLook && held.size < concurrency && !state.isClosed; taken++) {
    const [message] = await boss.fetch<T>(queue, groupConcurrency === undefined ? {} : { groupConcurrency })
    if (message === undefined) break
    const one = { message, claim: new AbortController() }
    held.add(one)
    const done: Promise<void> = handle(state, one).finally(() => {
      held.delete(one)
      handling.delete(done)
      onFree()
    })
    handling.add(done)
  }
  return taken > 0
}

/** Handles a message, and settles it. Never throws: a message that could not be settled is delivered again. */
async function handle<T extends object>(
  { boss, options: { queue, handler, groupConcurrency, bell = SILENT_BELL, onError } }: DeliveryState<T>,
  { message, claim }: HeldMessage<T>,
): Promise<void> {
  try {
    const outcome = await handler(message.data, claim.signal)
    if (claim.signal.aborted) return
    if (outcome === "done") await boss.complete(queue, message)
    else await giveBack(boss, queue, message)
    // Another process may take it, or the place that its group has now.
    if (outcome === "given back" || groupConcurrency !== undefined) await bell.ring(queue)
  } catch (error) {
    if (claim.signal.aborted) return
    onError(error)
    await boss.fail(queue, message, { message: String(error) }).catch(onError)
  }
}

/** Lets a message wait again, as if it had not been delivered. pg-boss has this statement for itself, without the condition on the claim. */
async function giveBack(boss: PgBoss, queue: string, { id, retryCount }: Job<unknown>): Promise<void> {
  await boss.getDb().executeSql(
    `update pgboss.job set state = 'created', started_on = null, heartbeat_on = null
      where name = $1 and id = $2 and state = 'active' and retry_count = $3`,
    [queue, id, retryCount],
  )
}

/** Renews the claims of all messages, and aborts those that were lost. Never throws: a claim lasts for several beats. */
async function beat<T extends object>({ boss, options: { queue, onError }, held }: DeliveryState<T>): Promise<void> {
  const beaten = [...held].filter(({ claim }) => !claim.signal.aborted)
  if (beaten.length === 0) return
  try {
    const touched = await boss.touch(
      queue,
      beaten.map(({ message }) => message),
    )
    // The type of pg-boss leaves out what its functions return.
    const kept = new Set((touched as { readonly settled: readonly string[] }).settled)
    for (const { message, claim } of beaten) if (!kept.has(message.id)) claim.abort()
  } catch (error) {
    onError(error)
  }
}
