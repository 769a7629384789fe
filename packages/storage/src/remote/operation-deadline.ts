import { isAssayError, PUBLIC_CATALOG_HOST, PUBLIC_HUB_ENDPOINT, type StorageConfiguration } from "@assay/schemas"
import type { RemoteContext } from "./remote-context.ts"
import { remoteError, withFacts, type RemoteTarget } from "./remote-error.ts"
import { DEADLINE_MS } from "./send-with-retry.ts"
import { type OperationDeadlineOptions, createCountdown } from "./countdown.ts"

/** The time that a caller waits for one operation of a remote backend. */
export interface OperationDeadline {
  /** Aborted when the time is over (with the error to throw), or with the caller's signal. */
  readonly signal: AbortSignal
  /** Waits for `work`, or throws the reason of the signal, even if `work` ignores the signal. Only one call at a time. */
  race<T>(work: Promise<T>): Promise<T>
  /** Starts to count the time that is left. */
  wait(): void
  /** Stops counting, because the caller or the source of a write is busy. */
  rest(): void
  /** Starts the whole time again. */
  restart(): void
  /** Releases the timer and the caller's signal. */
  end(): void
}

/** Creates a deadline that does not count yet. */
function createOperationDeadline({
  milliseconds,
  now,
  signal: caller,
  late,
}: OperationDeadlineOptions): OperationDeadline {
  const controller = new AbortController()
  const { signal } = controller
  let refuse: ((reason: unknown) => void) | undefined

  const onAbort = () => {
    controller.abort(caller?.reason)
    refuse?.(caller?.reason)
  }
  if (caller?.aborted === true) onAbort()
  else caller?.addEventListener("abort", onAbort, { once: true })
  const countdown = createCountdown({
    milliseconds,
    now,
    onOver() {
      const reason = late()
      controller.abort(reason)
      return () => refuse?.(reason)
    },
  })

  return {
    signal,
    race(work) {
      if (signal.aborted) {
        work.catch(() => {})
        return Promise.reject(signal.reason as Error)
      }
      return new Promise((resolve, reject) => {
        refuse = reject
        work.then(resolve, (error: unknown) => reject(reasonOf(signal, error, late)))
      })
    },
    wait: countdown.wait,
    rest: countdown.rest,
    restart: countdown.restart,
    end() {
      countdown.end()
      caller?.removeEventListener("abort", onAbort)
    },
  }
}

/** Returns the error to throw for an operation that failed after its signal was aborted. */
function reasonOf(signal: AbortSignal, error: unknown, late: OperationDeadlineOptions["late"]): unknown {
  if (!signal.aborted || !isAssayError(signal.reason, "upstream_timeout")) return signal.aborted ? signal.reason : error
  const status = isAssayError(error) ? error.context["status"] : undefined
  return typeof status === "number" ? late(status) : signal.reason
}

/** Starts the deadline of one operation. */
export type StartDeadline = (
  target: Pick<RemoteTarget, "operation" | "path">,
  signal?: AbortSignal,
) => OperationDeadline

/** Creates the function that starts deadlines for one backend. An operation that exceeds one throws `upstream_timeout`. */
export function createDeadlines(
  config: StorageConfiguration,
  { now, elapsed = now, deadlineMs = DEADLINE_MS }: RemoteContext,
): StartDeadline {
  return (asked, signal) => {
    const target: RemoteTarget = { storage: config.type, location: locationOf(config), ...asked }
    const seconds = `${deadlineMs / 1000} s`
    const late = (status?: number) =>
      status === undefined
        ? remoteError(
            "upstream_timeout",
            target,
            `the backend gave no complete answer within ${seconds}, including retries; check that it is up and not overloaded, and try again later.`,
          )
        : withFacts(
            remoteError(
              "upstream_timeout",
              target,
              `the backend still returned status ${status} after ${seconds}, including retries; try again later, or request less at a time.`,
            ),
            { status },
          )
    return createOperationDeadline({ milliseconds: deadlineMs, now: elapsed, signal, late })
  }
}

/** Runs `work` and waits for it within the deadline. */
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

/** Describes the location of a configuration for messages: the repository, asset or bucket, and its host. */
function locationOf(config: StorageConfiguration): string {
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

/** Returns the origin, without user name, path and query. */
function originOf(address: string): string {
  return URL.parse(address)?.origin ?? "an address that can't be read"
}
