import type { RequestPacers } from "@assay/inference"
import type { JobHost } from "./job-host.ts"

/** Returns a function that opens inference as `open` does, with limits of endpoints that everybody who calls it shares. */
export function paceInference(open: JobHost["openInference"]): JobHost["openInference"] {
  let pacers: RequestPacers | undefined
  return async () => {
    const inference = await open()
    // Loaded with the first model that is asked, so that a server starts without it.
    const { createRequestPacers } = await import("@assay/inference")
    pacers ??= createRequestPacers(inference)
    return { ...inference, pacers }
  }
}
