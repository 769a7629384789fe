import process from "node:process"
import type { FastifyBaseLogger } from "fastify"
import type { RunningServer } from "./serve.ts"

/** A terminal, npm and a wrapper can each pass on the same Ctrl-C: only a signal after this time is a second one. */
const SECOND_SIGNAL_MS = 1000
const INTERRUPTED = 130

/** Ends the server on SIGINT and SIGTERM: requests in flight finish and the exit code is 0; a second signal forces it. */
export function stopOnSignals(server: RunningServer, logger: FastifyBaseLogger): void {
  let stoppedAt: number | undefined
  const stop = (signal: NodeJS.Signals) => {
    const now = performance.now()
    if (stoppedAt !== undefined) {
      if (now - stoppedAt > SECOND_SIGNAL_MS) process.exit(INTERRUPTED)
      return
    }
    stoppedAt = now
    logger.info({ signal }, "stopping: requests in flight finish first; once more to force it")
    server.close().then(
      () => process.exit(0),
      (error: unknown) => {
        logger.error({ err: error }, "stopping failed")
        process.exit(70)
      },
    )
  }
  process.on("SIGINT", stop)
  process.on("SIGTERM", stop)
}
