import type { Context } from "../../context.ts"
import type { ExitCode } from "../../exit-code.ts"
import type { JsonOption } from "../action.ts"

/** Options of `assay init`. */
export interface InitOptions extends JsonOption {
  readonly model?: string
  readonly key?: string
  readonly data?: string
  readonly prompt?: string
  readonly output?: string
  readonly check?: readonly string[]
  readonly judge?: string
  readonly gate?: readonly string[]
  readonly out?: string
  readonly yes?: boolean
  readonly run?: boolean
  readonly force?: boolean
}

export type InitKind = "evaluation" | "guardrail" | "ci"

/** Runs `assay init [what]`. */
export async function init(context: Context, what: InitKind, options: InitOptions): Promise<ExitCode | void> {
  switch (what) {
    case "evaluation":
      return (await import("./init-evaluation.ts")).initEvaluation(context, options)
    case "guardrail":
      return (await import("./init-guardrail.ts")).initGuardrail(context, options)
    case "ci":
      return (await import("./init-ci.ts")).initCi(context, options)
  }
}
