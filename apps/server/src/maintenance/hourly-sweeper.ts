import type { Registry } from "@assay/registry"
import type { Uploads } from "@assay/uploads"
import type { FastifyBaseLogger } from "fastify"

const HOUR_MS = 60 * 60_000
const DAY_MS = 24 * HOUR_MS

export interface SweepOptions {
  readonly uploads: Pick<Uploads, "sweep">
  readonly registry: Pick<Registry, "audit" | "sweepHistory" | "trash">
  /** Deletes jobs of the trash whose time is over, in the background. */
  readonly sweepJobs: () => void
  /** Days after which an audit record expires. */
  readonly auditDays: number
  readonly logger: Pick<FastifyBaseLogger, "warn">
}

/** Removes expired uploads, audit records, kept files and deleted filesets: at its start, and then once an hour. */
export interface Sweeper {
  /** Starts to sweep. The result stops it, but does not wait for a sweep that runs. */
  start(): Disposable
  /** Waits until no sweep runs. */
  settled(): Promise<void>
}

/** Creates a sweeper. A sweep that fails is logged, and tried again an hour later. */
export function createSweeper({ registry, uploads, sweepJobs, auditDays, logger }: SweepOptions): Sweeper {
  let sweeping: Promise<unknown> = Promise.resolve()
  const sweep = () => {
    const { audit, trash, sweepHistory } = registry
    sweepJobs()
    sweeping = Promise.all([uploads.sweep(), audit.sweep(auditDays * DAY_MS), sweepHistory(), trash.sweep()]).catch(
      (error: unknown) =>
        logger.warn({ err: error }, "failed to remove expired uploads, audit records, kept files or deleted filesets"),
    )
  }
  return {
    start() {
      sweep()
      const timer = setInterval(sweep, HOUR_MS).unref()
      return { [Symbol.dispose]: () => clearInterval(timer) }
    },
    settled: async () => void (await sweeping),
  }
}
