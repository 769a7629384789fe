import type { JsonOption } from "../action.ts"

/** Where a judge is, as options tell it. */
export interface EndpointOptions extends JsonOption {
  readonly url?: string
  readonly model: readonly string[]
  readonly family?: string
  readonly ca?: string
  readonly apiKeyEnv?: string
}
