import type { HeldHost, PaceTexts, RequestPacers } from "@assay/inference"
import type { RunnerLog } from "../runner/start-runner.ts"
import type { JobHost } from "../launch/job-host.ts"

/** Inference with limits of endpoints that everybody who opens it shares. */
export interface PacedInference {
  readonly open: JobHost["openInference"]
  /** Lists the hosts whose endpoints limit requests now. */
  readonly held: () => readonly HeldHost[]
}

/**
 * Opens inference as `open` does, with shared limits. The log says when an endpoint begins to limit requests. With `texts`, the limits
 * are those of all workers together.
 */
export function paceInference(open: JobHost["openInference"], log: RunnerLog, texts?: PaceTexts): PacedInference {
  let pacers: RequestPacers | undefined
  return {
    async open() {
      const inference = await open()
      // Loaded with the first model that is asked, so that a server starts without it.
      const { createRequestPacers, storedPaces } = await import("@assay/inference")
      pacers ??= createRequestPacers(inference, {
        onHeld({ host, requestsPerSecond }) {
          const rate = requestsPerSecond.toFixed(1)
          const who = texts === undefined ? "" : " from all workers together"
          log.warn({ host }, `the endpoint limits requests; they leave at ${rate} a second${who} and adapt`)
        },
        paces: texts && storedPaces(texts),
      })
      return { ...inference, pacers }
    },
    held: () => pacers?.held() ?? [],
  }
}
