import type { EvaluationSample } from "@assay/schemas"
import type { SourceRow } from "./source-row.ts"

/** Called before a call is repeated. */
export type OnRetry = (retry: { readonly error: unknown; readonly waitMs: number }) => void

export interface AskOptions {
  readonly repeat: number
  readonly signal: AbortSignal
  readonly onRetry: OnRetry
}

/** Returns the sample of a row: from a model, or from the row itself. */
export type Ask =
  | {
      readonly kind: "call"
      readonly call: (item: SourceRow["item"], options: AskOptions) => Promise<EvaluationSample>
    }
  | { readonly kind: "given"; readonly take: (item: SourceRow["item"]) => EvaluationSample }
