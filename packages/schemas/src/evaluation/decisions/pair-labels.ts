import { Type, type Static } from "@sinclair/typebox"
import { ROW_FIELDS } from "../rows/scored-row.ts"
import { CorrectedDifference } from "./corrected-difference.ts"
import { LabelQuestion } from "./labels.ts"

const PairRow = Type.Object({
  job: Type.String({ description: "The job whose row this is: its label is added to that job." }),
  ...ROW_FIELDS,
  digest: Type.String(),
})

/** Rows of two jobs that people should label next, until the comparison of the jobs is decided. */
export const PairLabelQueue = Type.Object(
  {
    object: Type.Literal("list"),
    jobs: Type.Array(Type.Object({ id: Type.String(), name: Type.String() }), {
      description: "The first is the baseline.",
    }),
    task: Type.String(),
    metric: Type.String({ description: "`<metric>.<score>`" }),
    fileset: Type.String({ description: "Where labels of these rows are looked for." }),
    margin: Type.Number(),
    seed: Type.Integer(),
    draw: Type.String({
      description: "The id of the draw, such as `pairs-1-0f3a9c2b7d51`. Send it back with each label.",
    }),
    question: LabelQuestion,
    is_decided: Type.Boolean({ description: "Whether labels decide. Then no row has to be labelled." }),
    corrected: CorrectedDifference,
    labelled: Type.Integer({
      description: "Answers that differ and have labels on both sides, from the first one of the draw on.",
    }),
    data: Type.Array(PairRow, {
      description: "The rows to label, those of one pair one after the other. Outputs with a label are left out.",
    }),
  },
  { $id: "PairLabelQueue" },
)
export type PairLabelQueue = Static<typeof PairLabelQueue>
