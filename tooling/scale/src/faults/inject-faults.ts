import { setTimeout as sleep } from "node:timers/promises"
import type { Cluster, Member } from "../cluster/start-cluster.ts"
import type { Gateway } from "../cluster/start-gateway.ts"
import { createRandom, planFaults, type FaultKind } from "./plan-faults.ts"

export interface FaultsToInject {
  readonly kinds: readonly FaultKind[]
  readonly seed: number
  /** Seconds between two faults. */
  readonly restSeconds: number
  readonly gateway: Gateway
  /** Aborted when the job has ended. A fault that has begun is ended first. */
  readonly signal: AbortSignal
}

export interface BegunFault {
  readonly kind: FaultKind
  /** Time since 1970 in milliseconds. */
  readonly at: number
}

export interface InjectedFaults {
  readonly counts: Readonly<Partial<Record<FaultKind, number>>>
  /** Rows that were asked and perhaps in no journal yet when a worker was lost or the database crashed, summed over these faults. */
  readonly inFlight: number
  /** In their order. */
  readonly begun: readonly BegunFault[]
}

const STORAGE_SECONDS = 10
const PARTITION_SECONDS = 20
/** The share of the requests to the storage that are refused. */
const REFUSED = 0.8

/** Lets one part after the other fail, with a pause between two faults. */
export async function injectFaults(
  cluster: Cluster,
  { kinds, seed, restSeconds, gateway, signal }: FaultsToInject,
  log: (line: string) => void,
): Promise<InjectedFaults> {
  const counts: Partial<Record<FaultKind, number>> = {}
  const random = createRandom(seed + 1)
  const begun: BegunFault[] = []
  let inFlight = 0
  const pick = (members: readonly Member[]): Member => {
    const member = members[Math.floor(random() * members.length)]
    if (member === undefined) throw new Error("The cluster has no process of this kind.")
    return member
  }
  const pause = (seconds: number) => sleep(seconds * 1000, undefined, { signal }).catch(() => {})

  const inject: Readonly<Record<FaultKind, () => Promise<void>>> = {
    worker: () => pick(cluster.workers).restart(),
    server: () => pick(cluster.servers).restart(),
    database: () => cluster.postgres.restart(),
    async storage() {
      gateway.refuse(REFUSED)
      await pause(STORAGE_SECONDS)
      gateway.refuse(0)
    },
    async partition() {
      const { host } = pick(cluster.workers)
      host?.cutOff()
      await pause(PARTITION_SECONDS)
      host?.reconnect()
    },
  }

  for (const kind of planFaults(kinds, seed)) {
    await pause(restSeconds)
    if (signal.aborted) break
    const unsaved = LOSES_ROWS.has(kind) ? cluster.endpoint.unsaved() : 0
    log(`${new Date().toISOString()} fault: ${kind}${unsaved === 0 ? "" : `, with ${unsaved} rows in flight`}`)
    inFlight += unsaved
    counts[kind] = (counts[kind] ?? 0) + 1
    begun.push({ kind, at: Date.now() })
    await inject[kind]()
  }
  return { counts, inFlight, begun }
}

/** The kinds after which rows may be asked again. Nothing is lost by the others. */
const LOSES_ROWS: ReadonlySet<FaultKind> = new Set(["worker", "database", "partition"])
