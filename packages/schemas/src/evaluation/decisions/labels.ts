import { Type, type Static } from "@sinclair/typebox"
import { enumeration, orNull, Timestamp } from "../../records/field-types.ts"
import { numberField } from "../../records/number-field.ts"
import { ROW_FIELDS } from "../rows/scored-row.ts"
import { DRAWN_BY } from "./drawn-by.ts"

/** The file in a fileset that holds its labels. */
export const LABELS_FILE = "labels.jsonl"
/** The fileset for labels in the workspace of a job, if none is named. */
export const LABELS_FILESET = "labels"

const LOCATION = {
  task: Type.String(),
  row_index: numberField("offset", { maximum: 2 ** 32 - 1, description: "From 0, in the order of the dataset." }),
  repeat: numberField("offset", { maximum: 65_535, default: 0, description: "From 0." }),
}
const metric = Type.String({
  minLength: 1,
  maxLength: 500,
  description: "`<metric>.<score>`, or `<metric>` if it has one score.",
})
/** The largest label of a score whose scale is not known. */
const MAX_LABEL = 1e12
const label = Type.Union([Type.Number({ minimum: -MAX_LABEL, maximum: MAX_LABEL }), Type.Null()], {
  description:
    "The true value, on the scale of the score, as `question` of the queue says. A value outside the scale is refused. null: the author is unsure. Such a row has no label, is counted, and is not asked again.",
})
const withdrawn = Type.Optional(
  Type.Literal(true, {
    description: "Only with `label: null`: the author takes the earlier label back, and the row is asked again.",
  }),
)
const note = Type.Optional(Type.String({ maxLength: 5000, description: "Why." }))
/** The range of probabilities that draws have, compared with the mean of all rows. */
const PROBABILITY = { minimum: 0.2, maximum: 5 }
const probability = Type.Union([Type.Number(PROBABILITY), Type.Null()], {
  description:
    "How likely the row was drawn, compared with the mean of all rows. null: somebody picked the row. Such a label corrects nothing.",
})
const draw = Type.Union(
  [Type.String({ pattern: "^(random|uncertainty|pairs)-[0-9]{1,10}(-[0-9a-f]{12})?$", maxLength: 48 }), Type.Null()],
  {
    description:
      "The id of the draw that the row is from, as the queue of the same job and score says, or that of two jobs (`pairs-…`). null or absent: somebody picked the row.",
  },
)

const NewLabel = Type.Object(
  {
    ...LOCATION,
    metric,
    label,
    withdrawn,
    draw: Type.Optional(draw),
    probability: Type.Optional(
      Type.Union([Type.Number(PROBABILITY), Type.Null()], {
        deprecated: true,
        description:
          "Send `draw` instead. The server computes the probability, and refuses another one. Without `draw`, it says that the row was drawn.",
      }),
    ),
    note,
  },
  { additionalProperties: false },
)

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
      Type.String({
        minLength: 1,
        maxLength: 200,
        description: "Author of the label. One label of each author counts.",
      }),
    ),
  },
  { $id: "LabelsBody", additionalProperties: false },
)
export type LabelsBody = Static<typeof LabelsBody>

/** A label as its fileset keeps it: a line of `labels.jsonl`. It belongs to the digest, wherever the same item has the same output. */
export const LabelRow = Type.Object(
  {
    digest: Type.String({ pattern: "^[0-9a-f]{64}$", description: "SHA-256 of the item and the output." }),
    metric: Type.String({ description: "`<metric>.<score>`" }),
    label,
    withdrawn,
    author: orNull<string>("string", "Author of the label; null if nobody was named."),
    created_at: Timestamp,
    probability,
    draw: Type.Optional(draw),
    note,
    job: Type.String({ description: "The job whose row was labelled." }),
    ...LOCATION,
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

export const DrawnBy = enumeration(DRAWN_BY, {
  default: "random",
  description:
    "`random`: each row is as likely as any other. `uncertainty`: rows with a score in the middle of the scale are likelier.",
})
export type DrawnBy = Static<typeof DrawnBy>

const LABEL_ROWS = ["open", "others", "disputed"] as const
/** Which rows a person is asked about. */
export const RowsToLabel = enumeration(LABEL_ROWS, {
  default: "open",
  description:
    "`open`: rows without a label. `others`: rows that other authors labelled and `author` did not, for a second opinion. `disputed`: rows with different labels.",
})
export type RowsToLabel = Static<typeof RowsToLabel>

const RowToLabel = Type.Object({
  ...ROW_FIELDS,
  digest: Type.String(),
  probability: Type.Number({ description: "How likely the row was drawn, compared with the mean of all rows." }),
  pair: Type.Optional(
    Type.Object(
      {
        a: Type.String({ description: "The answer of the row." }),
        b: Type.String({ description: "The other answer." }),
      },
      {
        description:
          "The answers that a `pairwise` judge compared. Absent for other metrics, and if the row lacks one.",
      },
    ),
  ),
})

const NumberOrNull = (description: string) => orNull<number>("number", description)

/** The question to the judge, and the possible labels. */
export const LabelQuestion = Type.Object(
  {
    prompt: orNull<string>("string", "The judge's prompt with its placeholders; null if no model is asked."),
    low: NumberOrNull("The lowest possible label; null if it is not known."),
    high: NumberOrNull("The highest possible label; null if it is not known."),
    rubric: Type.Array(Type.Object({ label: Type.String(), value: Type.Number() }), {
      description: "The judge's words and their values. Empty without a rubric.",
    }),
    yes: NumberOrNull("The label that means the judge's yes; null if the score has none."),
    no: NumberOrNull("The label that means the judge's no; null if the score has none."),
    is_higher_better: orNull<boolean>("boolean", "Whether higher scores are better; null if it is not known."),
  },
  { $id: "LabelQuestion" },
)
export type LabelQuestion = Static<typeof LabelQuestion>

/** Rows that people should label next, in this order and without a gap. */
export const LabelQueue = Type.Object(
  {
    object: Type.Literal("list"),
    job: Type.String(),
    metric: Type.String({ description: "`<metric>.<score>`" }),
    fileset: Type.String({ description: "`<workspace>/<name>`: where labels of these rows are looked for." }),
    by: DrawnBy,
    seed: Type.Integer(),
    draw: Type.String({
      description: "The id of the draw, such as `random-1-0f3a9c2b7d51`. Send it back with each label.",
    }),
    question: LabelQuestion,
    labelled: Type.Integer({ description: "Rows of the job that have a label for this score." }),
    unsure: Type.Optional(
      Type.Integer({ description: "Rows about which somebody was unsure, and that nobody labelled." }),
    ),
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
