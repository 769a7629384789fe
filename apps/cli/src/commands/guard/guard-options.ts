import type { JsonOption } from "../action.ts"

/** Where a judge is, as options tell it. */
export interface EndpointOptions extends JsonOption {
  readonly url?: string
  readonly model: readonly string[]
  readonly family?: string
  readonly ca?: string
  readonly apiKeyEnv?: string
  /** Seconds that a question waits in all while the endpoint limits the rate; absent: such tries count like any other. */
  readonly maxRateLimitWait?: number
}
