import process from "node:process"
import type { FastifyBaseLogger } from "fastify"
import type { RunningServer } from "./serve.ts"

/** A terminal, npm and a wrapper can each forward the same Ctrl-C. Only a signal after this time counts as a second one. */
const SECOND_SIGNAL_MS = 1000
const INTERRUPTED = 130

/** Stops the server on SIGINT and SIGTERM: waits for running requests and exits with code 0. A second signal exits at once with code 130. */
export function stopOnSignals(server: RunningServer, logger: FastifyBaseLogger): void {
  let stoppedAt: number | undefined
  const stop = (signal: NodeJS.Signals) => {
    const now = performance.now()
    if (stoppedAt !== undefined) {
      if (now - stoppedAt > SECOND_SIGNAL_MS) process.exit(INTERRUPTED)
      return
    }
    stoppedAt = now
    logger.info({ signal }, "stopping after the running requests; send the signal again to stop at once")
    server.close().then(
      () => process.exit(0),
      (error: unknown) => {
        logger.error({ err: error }, "failed to stop")
        process.exit(70)
      },
    )
  }
  process.on("SIGINT", stop)
  process.on("SIGTERM", stop)
}
