import { Type, type Static } from "@sinclair/typebox"
import { enumeration, orNull, Timestamp } from "../../records/field-types.ts"
import { numberOf } from "../../numbers/number-field.ts"
import { ROW_FIELDS } from "../scored-row.ts"

export { LabelReport, ScoreCorrection } from "./label-report.ts"

/** The file in a fileset that holds its labels. */
export const LABELS_FILE = "labels.jsonl"
/** The fileset for labels in the workspace of a job, if none is named. */
export const LABELS_FILESET = "labels"

const PLACE = {
  task: Type.String(),
  row_index: numberOf("offset", { maximum: 2 ** 32 - 1, description: "From 0, in the order of the dataset." }),
  repeat: numberOf("offset", { maximum: 65_535, default: 0, description: "From 0." }),
}
const metric = Type.String({
  minLength: 1,
  maxLength: 500,
  description: "`<metric>.<score>`, or `<metric>` if it has one score.",
})
const label = Type.Number({ description: "What is true, on the scale of the score. 1 and 0 for yes and no." })
const note = Type.Optional(Type.String({ maxLength: 5000, description: "Why." }))
const probability = Type.Union([Type.Number({ exclusiveMinimum: 0 }), Type.Null()], {
  description:
    "How likely the row was drawn, compared with the mean of all rows, as the queue says. null: somebody picked the row. Such a label corrects nothing.",
})

const NewLabel = Type.Object({ ...PLACE, metric, label, probability: Type.Optional(probability), note })

/** Labels of people for rows of a job. */
export const LabelsBody = Type.Object(
  {
    labels: Type.Array(NewLabel, { minItems: 1, maxItems: 1000 }),
    fileset: Type.Optional(
      Type.String({
        minLength: 1,
        examples: ["default/labels"],
        description:
          "The fileset that keeps the labels. Default: `labels` in the job's workspace, which is created if it is missing.",
      }),
    ),
    author: Type.Optional(
      Type.String({ minLength: 1, maxLength: 200, description: "Who says so. One label of each author counts." }),
    ),
  },
  { $id: "LabelsBody" },
)
export type LabelsBody = Static<typeof LabelsBody>

/** A label as its fileset keeps it: a line of `labels.jsonl`. It belongs to the digest, wherever the same item has the same output. */
export const LabelRow = Type.Object(
  {
    digest: Type.String({ pattern: "^[0-9a-f]{64}$", description: "SHA-256 of the item and the output." }),
    metric: Type.String({ description: "`<metric>.<score>`" }),
    label,
    author: orNull<string>("string", "Who says so; null if nobody was named."),
    created_at: Timestamp,
    probability,
    note,
    job: Type.String({ description: "The job whose row was labelled." }),
    ...PLACE,
  },
  { $id: "LabelRow" },
)
export type LabelRow = Static<typeof LabelRow>

export const AddedLabels = Type.Object(
  {
    fileset: Type.String({ description: "`<workspace>/<name>`" }),
    added: Type.Integer(),
    total: Type.Integer({ description: "Number of labels in the fileset, those that were replaced later included." }),
  },
  { $id: "AddedLabels" },
)
export type AddedLabels = Static<typeof AddedLabels>

export const DRAWN_BY = ["random", "uncertainty"] as const
export const DrawnBy = enumeration(DRAWN_BY, {
  default: "random",
  description:
    "`random`: each row is as likely as any other. `uncertainty`: rows with a score in the middle of the scale are likelier.",
})
export type DrawnBy = Static<typeof DrawnBy>

const RowToLabel = Type.Object({
  ...ROW_FIELDS,
  digest: Type.String(),
  probability: Type.Number({ description: "Send it back with the label." }),
})

/** Rows that people should label next, in this order and without a gap. */
export const LabelQueue = Type.Object(
  {
    object: Type.Literal("list"),
    job: Type.String(),
    metric: Type.String({ description: "`<metric>.<score>`" }),
    fileset: Type.String({ description: "`<workspace>/<name>`: where labels of these rows are looked for." }),
    by: DrawnBy,
    seed: Type.Integer(),
    labelled: Type.Integer({ description: "Rows of the job that have a label for this score." }),
    candidates: Type.Integer({ description: "Rows that differ in item or output and have a score." }),
    data: Type.Array(RowToLabel),
  },
  { $id: "LabelQueue" },
)
export type LabelQueue = Static<typeof LabelQueue>

export const LabelPage = Type.Object(
  { object: Type.Literal("list"), fileset: Type.String(), data: Type.Array(LabelRow) },
  { $id: "LabelPage" },
)
export type LabelPage = Static<typeof LabelPage>
