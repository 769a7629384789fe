import type { JsonOption } from "../../action.ts"
import type { Overrides } from "../file/apply-overrides.ts"

/** Options of `assay eval run`. */
export interface EvalRunOptions extends JsonOption, Overrides {
  readonly server?: string
  readonly local?: boolean
  readonly dataDir: string
  readonly out?: string
  readonly gate?: readonly string[]
  readonly junit?: string
  readonly skipChecks?: boolean
  readonly fresh?: boolean
  readonly watch?: boolean
}

/** Only those that win over the file. */
export function overridesOf({ limit, parallelism, maxFail }: Overrides): Overrides {
  return {
    ...(limit === undefined ? {} : { limit }),
    ...(parallelism === undefined ? {} : { parallelism }),
    ...(maxFail === undefined ? {} : { maxFail }),
  }
}
