import {
  isAssayError,
  PUBLIC_CATALOG_HOST,
  PUBLIC_HUB_ENDPOINT,
  type AssayError,
  type StorageConfiguration,
} from "@assay/schemas"
import type { RemoteContext } from "./remote-context.ts"
import { remoteError, withFacts, type RemoteTarget } from "./remote-error.ts"
import { DEADLINE_MS } from "./send-with-retry.ts"

/**
 * Milliseconds that an operation has to end by itself when its time is over: a refusal that it waited to repeat tells more
 * than that it was late.
 */
const GRACE_MS = 1000

/** The time that one operation of a remote backend may keep its caller waiting. */
export interface OperationDeadline {
  /** Aborted when the time is over, with the error that says so, and with the caller's signal. */
  readonly signal: AbortSignal
  /** Waits for `work`, or throws the reason of the signal, even if `work` ignores the signal. One at a time. */
  race<T>(work: Promise<T>): Promise<T>
  /** Begins to wait for the backend, for what is left of the time. */
  wait(): void
  /** The backend is not waited for any more: its caller is busy, or the source of a write. */
  rest(): void
  /** Gives the operation its whole time again. */
  restart(): void
  /** Lets go of the timer and of the caller's signal. */
  end(): void
}

interface OperationDeadlineOptions {
  readonly milliseconds: number
  /** Milliseconds. */
  readonly now: () => number
  /** Of the caller. */
  readonly signal: AbortSignal | undefined
  /** The error of an operation whose time is over, with the status by which the backend refused it last. */
  readonly late: (status?: number) => AssayError
}

/** A deadline that is not waited for yet. */
function createOperationDeadline({
  milliseconds,
  now,
  signal: caller,
  late,
}: OperationDeadlineOptions): OperationDeadline {
  const controller = new AbortController()
  let timer: NodeJS.Timeout | undefined
  let timerMs = 0
  let isWaiting = false
  let since = 0
  let leftMs = milliseconds
  let refuse: ((reason: unknown) => void) | undefined

  const onAbort = () => {
    controller.abort(caller?.reason)
    refuse?.(caller?.reason)
  }
  if (caller?.aborted === true) onAbort()
  else caller?.addEventListener("abort", onAbort, { once: true })

  function fire(): void {
    timer = undefined
    if (!isWaiting) return
    const reason = late()
    controller.abort(reason)
    timer = setTimeout(() => refuse?.(reason), GRACE_MS)
  }
  /** One timer serves a whole listing: refreshing it costs next to nothing. */
  function arm(): void {
    if (timer !== undefined && timerMs === leftMs) {
      timer.refresh()
      return
    }
    clearTimeout(timer)
    timerMs = leftMs
    timer = setTimeout(fire, leftMs)
  }

  /** What an operation ended with, which says little more than that it was ended. */
  function reasonOf(signal: AbortSignal, error: unknown): unknown {
    if (!signal.aborted || !isAssayError(signal.reason, "upstream_timeout"))
      return signal.aborted ? signal.reason : error
    const status = isAssayError(error) ? error.context["status"] : undefined
    return typeof status === "number" ? late(status) : signal.reason
  }

  return {
    signal: controller.signal,
    race(work) {
      if (controller.signal.aborted) {
        work.catch(() => {})
        return Promise.reject(controller.signal.reason as Error)
      }
      return new Promise((resolve, reject) => {
        refuse = reject
        const { signal } = controller
        work.then(resolve, (error: unknown) => reject(reasonOf(signal, error)))
      })
    },
    wait() {
      if (isWaiting) return
      isWaiting = true
      since = now()
      arm()
    },
    rest() {
      if (!isWaiting) return
      isWaiting = false
      leftMs = Math.max(1, leftMs - Math.max(0, now() - since))
    },
    restart() {
      leftMs = milliseconds
      since = now()
      if (isWaiting) arm()
    },
    end() {
      isWaiting = false
      clearTimeout(timer)
      caller?.removeEventListener("abort", onAbort)
    },
  }
}

export type StartDeadline = (
  target: Pick<RemoteTarget, "operation" | "path">,
  signal?: AbortSignal,
) => OperationDeadline

/** Makes the deadlines of the operations on one backend. @throws, when one is over, `upstream_timeout` */
export function createDeadlines(
  config: StorageConfiguration,
  { now, deadlineMs = DEADLINE_MS }: RemoteContext,
): StartDeadline {
  return (asked, signal) => {
    const target: RemoteTarget = { storage: config.type, place: placeOf(config), ...asked }
    const seconds = `${deadlineMs / 1000} s`
    const late = (status?: number) =>
      status === undefined
        ? remoteError(
            "upstream_timeout",
            target,
            `the backend gave no whole answer within ${seconds}, with every retry; check that it is up and not overloaded, and try again later.`,
          )
        : withFacts(
            remoteError(
              "upstream_timeout",
              target,
              `the backend still answered with status ${status} after ${seconds}, with every retry; try again later, or ask less at a time.`,
            ),
            { status },
          )
    return createOperationDeadline({ milliseconds: deadlineMs, now, signal, late })
  }
}

/** What `work` comes to within its deadline. */
export async function withinDeadline<T>(
  deadline: OperationDeadline,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  deadline.wait()
  try {
    return await deadline.race(work(deadline.signal))
  } finally {
    deadline.end()
  }
}

/** The place that a configuration names, in words: the repository, asset or bucket, and where it is asked. */
function placeOf(config: StorageConfiguration): string {
  switch (config.type) {
    case "local":
      return `folder '${config.path}'`
    case "hub":
      return `${config.repo_type ?? "model"} '${config.repo_id}' at ${originOf(config.endpoint ?? PUBLIC_HUB_ENDPOINT)}`
    case "catalog": {
      const { org, team, target, target_type: kind = "resource" } = config
      const names = [org, ...(team === "" ? [] : [team]), target].join("/")
      return `${kind} '${names}' at ${originOf(config.host ?? PUBLIC_CATALOG_HOST)}`
    }
    case "objstore":
    default: {
      const { bucket, endpoint_url: endpoint } = config
      return `bucket '${bucket}'${endpoint === undefined ? "" : ` at ${originOf(endpoint)}`}`
    }
  }
}

/** Without user, path and query. */
function originOf(address: string): string {
  return URL.parse(address)?.origin ?? "an address that can't be read"
}
