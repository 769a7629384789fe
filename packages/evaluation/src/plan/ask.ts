import type { EvaluationSample } from "@assay/schemas"
import type { ScoreOptions, SourceRow } from "@assay/scoring"

export interface AskOptions extends ScoreOptions {
  readonly repeat: number
}

/** Returns the sample of a row: from a model, or from the row itself. */
export type Ask =
  | {
      readonly kind: "call"
      readonly call: (item: SourceRow["item"], options: AskOptions) => Promise<EvaluationSample>
    }
  | { readonly kind: "given"; readonly take: (item: SourceRow["item"], repeat: number) => EvaluationSample }
