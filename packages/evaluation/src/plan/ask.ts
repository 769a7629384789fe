import type { ConversationTurn, EvaluationSample } from "@assay/schemas"
import type { ScoreOptions, SourceRow } from "@assay/scoring"

export interface AskOptions extends ScoreOptions {
  readonly repeat: number
}

/** A sample, and the turns if it is that of a conversation. */
export interface AskedSample extends EvaluationSample {
  readonly turns?: readonly ConversationTurn[]
}

/** Returns the sample of a row: from a model, or from the row itself. */
export type Ask =
  | {
      readonly kind: "call"
      readonly call: (item: SourceRow["item"], options: AskOptions) => Promise<AskedSample>
    }
  | { readonly kind: "given"; readonly take: (item: SourceRow["item"], repeat: number) => AskedSample }
