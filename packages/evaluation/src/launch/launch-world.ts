import type { EvaluationWorld } from "../evaluation-world.ts"

/** What the checks of a launch need besides what the job will. */
export interface LaunchWorld extends EvaluationWorld {
  /** Whether users may name this address; absent: any. @throws `host_not_allowed` */
  readonly checkEndpoint?: (url: string) => void
  /** Writes a file where the results will go, and removes it; absent: that is not checked. @throws what stands in the way */
  readonly probeResults?: (signal: AbortSignal) => Promise<void>
}
