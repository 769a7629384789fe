import type { JobEnvironment } from "../job-environment.ts"

/** What the checks of a launch need besides what the job will. */
export interface LaunchPorts extends JobEnvironment {
  /** Whether users may name this address; absent: any. @throws `host_not_allowed` */
  readonly checkEndpoint?: (url: string) => void
  /** Writes a file where the results will go, and removes it; absent: that is not checked. @throws what stands in the way */
  readonly probeResults?: (signal: AbortSignal) => Promise<void>
}
