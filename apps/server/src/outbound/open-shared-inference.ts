import { paceInference, type PacedInference } from "@assay/jobs/service"
import type { Registry } from "@assay/registry"
import type { Telemetry } from "@assay/telemetry"
import type { ServerContext } from "../server-context.ts"
import { createInferencePolicy } from "./inference-policy.ts"
import { openInferenceWith } from "./open-inference.ts"

/** Maximum number of bytes of responses of inference endpoints that are being received. */
const MAX_ANSWER_BYTES = 256 * 1024 * 1024

export interface SharedInference {
  /** Fails if users of this server may not call this endpoint. @throws `host_not_allowed` */
  readonly checkEndpoint: (url: string) => void
  readonly openInference: PacedInference["open"]
  /** Lists the hosts whose endpoints limit requests. */
  readonly held: PacedInference["held"]
}

/** Opens what jobs and guardrails share of endpoints: hosts that are allowed, memory, and paces, on a shared database those of all servers. */
export function openSharedInference(
  { settings, logger }: ServerContext,
  { sharedDatabase, endpointPaces }: Pick<Registry, "sharedDatabase" | "endpointPaces">,
  telemetry: Telemetry | undefined,
): SharedInference {
  const policy = createInferencePolicy(settings)
  const { open: openInference, held } = paceInference(
    openInferenceWith({ policy, telemetry, answerRoom: { maxBytes: MAX_ANSWER_BYTES, heldBytes: 0 } }),
    logger,
    // An embedded database has one process, which needs no row for that.
    sharedDatabase && endpointPaces,
  )
  return { checkEndpoint: (url) => policy.checkEndpoint(url), openInference, held }
}
