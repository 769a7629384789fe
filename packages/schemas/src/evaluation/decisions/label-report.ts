import { Type, type Static } from "@sinclair/typebox"
import { enumeration, orNull } from "../../records/field-types.ts"

const LabelInterval = Type.Union([
  Type.Object({ low: Type.Number(), high: Type.Number(), confidence: Type.Number(), method: Type.String() }),
  Type.Null(),
])
const Estimate = Type.Object({ mean: Type.Number(), interval: LabelInterval })
const Rate = Type.Object({
  count: Type.Number(),
  n: Type.Number(),
  rate: orNull<number>("number", "count / n"),
  low: Type.Number(),
  high: Type.Number(),
})

/** How far people agree about the rows that several of them labelled. */
const LabelAgreement = Type.Object({
  authors: Type.Array(Type.Union([Type.String(), Type.Null()]), {
    description: "Authors of these labels; null for labels without a name.",
  }),
  rows: Type.Integer({ description: "Rows that at least two authors labelled." }),
  same: Type.Integer({ description: "Rows of them with equal labels." }),
  alpha: orNull<number>(
    "number",
    "Krippendorff's alpha: 1 is full agreement, 0 is agreement by chance. null if all labels are equal.",
  ),
  alpha_interval: LabelInterval,
  kappa: orNull<number>(
    "number",
    "Cohen's kappa of two authors. null for another number of authors, for more than 1,000 different labels, and if all are equal.",
  ),
  kappa_interval: LabelInterval,
})

/** The means of a judge and of people, and the judge's mean corrected by people. */
export const LabelReport = Type.Object(
  {
    job: Type.String(),
    metric: Type.String({ description: "`<metric>.<score>`" }),
    fileset: Type.String(),
    rows: Type.Integer({ description: "Rows of the job with a score." }),
    labels: Type.Integer({
      description: "Labels that were drawn and belong to rows of the job. They correct the mean.",
    }),
    picked: Type.Integer({
      description: "Labels of rows that somebody picked. They are not used: picked rows are not a sample.",
    }),
    elsewhere: Type.Integer({ description: "Labels whose item and output no row of the job has." }),
    judge: Type.Union([Estimate, Type.Null()], { description: "The judge alone. Null if no row has a score." }),
    people: Type.Union([Estimate, Type.Null()], { description: "The labels alone." }),
    corrected: Type.Union([Estimate, Type.Null()], { description: "The judge's mean, corrected by the labels." }),
    covers: Type.Optional(
      enumeration(["rows", "clusters"] as const, {
        description:
          "Which mean the intervals of people and of the corrected judge are for. `rows`: that of the rows of this job. `clusters`: that of all groups of rows like these, if the job has `cluster_by`.",
      }),
    ),
    left_open: Type.Optional(
      Type.Integer({ description: "Rows that were drawn before a row with a label, and have none themselves." }),
    ),
    power: orNull<number>("number", "How much of the judge's score is used: 0 if it says nothing about the labels."),
    worth: orNull<number>("integer", "The number of labels without a judge that would give as narrow an interval."),
    verdict: Type.Union([
      Type.Object({
        positive: Type.Number({ description: "The higher of the two scores." }),
        sensitivity: Rate,
        specificity: Rate,
        corrected: Type.Union([Estimate, Type.Null()], { description: "The rate of Rogan and Gladen, as a check." }),
        corrected_reason: Type.Optional(
          Type.Union([Type.String(), Type.Null()], { description: "Why `corrected` is null." }),
        ),
      }),
      Type.Null(),
    ]),
    labels_needed: orNull<number>(
      "integer",
      "Labels, drawn at random, for an interval of ±0.05 of the scale whatever the judge and the people say; null if the job has too few rows.",
    ),
    labels_missing: Type.Integer({
      description:
        "The least number of further labels before there are intervals: there have to be 10. 0: there are enough.",
    }),
    unsure: Type.Optional(
      Type.Integer({ description: "Rows about which somebody was unsure, and that nobody labelled." }),
    ),
    agreement: Type.Optional(
      Type.Union([LabelAgreement, Type.Null()], { description: "null: no row has labels of two authors." }),
    ),
    notes: Type.Array(Type.String()),
  },
  { $id: "LabelReport" },
)
export type LabelReport = Static<typeof LabelReport>

/** A score beside its correction by the labels that its metric names: a LabelReport without the fields that the location of the score has. */
export const ScoreCorrection = Type.Omit(LabelReport, ["job", "metric"], {
  $id: "ScoreCorrection",
  description:
    "The mean of the judge, of people, and of the judge corrected by the labels that `labels` of the metric names.",
})
export type ScoreCorrection = Static<typeof ScoreCorrection>
