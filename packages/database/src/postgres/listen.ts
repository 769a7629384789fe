import { setTimeout as pause } from "node:timers/promises"
import { Client } from "pg"
import { CHANNEL, type NoticeListener, type Notices } from "../notices.ts"
import type { Connections } from "./open-connections.ts"

export interface ListenOptions {
  /** Address of PostgreSQL. A session must keep its connection there: a pooler in transaction mode cannot be used. */
  readonly url: string
  readonly application: string
  /** The connections that send notices. */
  readonly connections: Connections
  /** Called once when notices stop to arrive. */
  readonly onDeaf: (error: Error) => void
}

/** Milliseconds between two checks that notices arrive. */
const PING_MS = 10_000
/** Milliseconds in which a notice arrives, and in which PostgreSQL responds. */
const PATIENCE_MS = 5000
/** Milliseconds in which a connection ends. */
const END_MS = 1000
const FIRST_RETRY_MS = 500
const MAX_RETRY_MS = 30_000
const PING = "ping "

/** Creates the notices of a shared database. All listeners share one connection, which is open while there is one, and is opened again when it breaks. */
export function createPostgresNotices(options: ListenOptions): Notices {
  const listeners = new Set<NoticeListener>()
  /** Undefined until it is known. */
  let isHearing: boolean | undefined
  let listening: { readonly closing: AbortController; readonly ended: Promise<void> } | undefined

  function start(): typeof listening {
    const closing = new AbortController()
    const onNotice = (text: string) => {
      for (const listener of listeners) listener.onNotice(text)
    }
    const onHearing = (hears: boolean) => {
      if (closing.signal.aborted) return
      isHearing = hears
      for (const listener of listeners) listener.onHearing(hears)
    }
    return { closing, ended: listenUntil(closing.signal, { onNotice, onHearing }, options) }
  }

  async function stop(listener: NoticeListener): Promise<void> {
    const last = listening
    if (!listeners.delete(listener) || listeners.size > 0 || last === undefined) return
    listening = undefined
    isHearing = undefined
    last.closing.abort(new Error("The listener was closed."))
    await last.ended
  }

  return {
    listen(listener) {
      listeners.add(listener)
      listening ??= start()
      if (isHearing !== undefined) listener.onHearing(isHearing)
      return () => stop(listener)
    },
  }
}

async function listenUntil(closing: AbortSignal, listener: NoticeListener, options: ListenOptions): Promise<void> {
  for (let failures = 0; !closing.aborted; failures++) {
    const heard = () => {
      failures = 0
      listener.onHearing(true)
    }
    try {
      await hear(closing, { ...listener, heard }, options)
    } catch (error) {
      listener.onHearing(false)
      if (failures === 0 && !closing.aborted) options.onDeaf(error as Error)
    }
    const retryMs = Math.min(FIRST_RETRY_MS * 2 ** failures, MAX_RETRY_MS)
    await pause(retryMs, undefined, { signal: closing, ref: false }).catch(() => {})
  }
}

interface Hearing extends Pick<NoticeListener, "onNotice"> {
  /** Called when a first notice has arrived. */
  readonly heard: () => void
}

/** Listens on one connection until it breaks, or until no notices arrive on it. @throws the reason */
async function hear(
  closing: AbortSignal,
  { onNotice, heard }: Hearing,
  { url, application, connections }: ListenOptions,
): Promise<never> {
  const times = { connectionTimeoutMillis: PATIENCE_MS, query_timeout: PATIENCE_MS }
  const client = new Client({ connectionString: url, application_name: application, keepAlive: true, ...times })
  const broken = Promise.withResolvers<never>()
  // Between two races with it, nobody would handle its rejection.
  broken.promise.catch(() => {})
  const onClosing = () => broken.reject(closing.reason as Error)
  closing.addEventListener("abort", onClosing)
  client.on("error", broken.reject)
  client.on("end", () => broken.reject(new Error("The connection has ended.")))
  let onPing = (_text: string) => {}
  client.on("notification", ({ payload = "" }) => (payload.startsWith(PING) ? onPing(payload) : onNotice(payload)))
  const stopped = new AbortController()
  const wait = (ms: number) => pause(ms, undefined, { signal: stopped.signal, ref: false })
  const unlessBroken = <T>(work: Promise<T>): Promise<T> => Promise.race([work, broken.promise])

  /** Sends a notice on another connection, and waits for it here. Not every failure of a network ends a connection. */
  async function ping(text: string): Promise<void> {
    const arrived = new Promise<void>((resolve) => {
      onPing = (one) => {
        if (one === text) resolve()
      }
    })
    await unlessBroken(connections.query("select pg_notify($1, $2)", [CHANNEL, text]))
    const tooLate = wait(PATIENCE_MS).then(() => {
      throw new Error(`A notice did not arrive within ${PATIENCE_MS / 1000} s.`)
    })
    await unlessBroken(Promise.race([arrived, tooLate]))
  }

  try {
    await unlessBroken(client.connect())
    await unlessBroken(client.query(`listen ${CHANNEL}`))
    const { rows } = await unlessBroken(client.query<{ pid: number }>("select pg_backend_pid() as pid"))
    const pid = rows[0]?.pid
    for (let count = 0; ; count++) {
      await ping(`${PING}${pid} ${count}`)
      if (count === 0) heard()
      await unlessBroken(wait(PING_MS))
    }
  } finally {
    stopped.abort()
    closing.removeEventListener("abort", onClosing)
    // A broken connection may never confirm its end.
    await Promise.race([client.end().catch(() => {}), pause(END_MS, undefined, { ref: false })])
  }
}
