import type { ExecutorPorts } from "../executor.ts"

/** The parts of the process that executors need to start processes of this machine. */
export interface ProcessPorts extends ExecutorPorts {
  /** Number of processor cores that this process may use. */
  readonly cores: number
  /** The name of this machine. */
  readonly host: string
  /** The id of this process. */
  readonly pid: number
  readonly isProcessAlive: (pid: number) => boolean
  /** Asks a process of this machine to end, as Ctrl-C does. Does nothing if it has ended. */
  readonly endProcess: (pid: number) => void
}
