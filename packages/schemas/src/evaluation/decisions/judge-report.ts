import { Type, type Static } from "@sinclair/typebox"
import { enumeration, orNull } from "../../records/field-types.ts"

const JudgeInterval = Type.Union([
  Type.Object({ low: Type.Number(), high: Type.Number(), confidence: Type.Number(), method: Type.String() }),
  Type.Null(),
])

const PairAgreement = Type.Object({
  rows: Type.Integer({ description: "Rows that both rated." }),
  same: Type.Integer({ description: "Rows of them with equal ratings." }),
  kappa: orNull<number>(
    "number",
    "Cohen's kappa of labels: 1 is full agreement, 0 is agreement by chance. null for numbers of a scale, and if only one label occurs.",
  ),
  kappa_interval: JudgeInterval,
  alpha: orNull<number>("number", "Krippendorff's alpha, at the level of `level`. null if only one value occurs."),
  alpha_interval: JudgeInterval,
})

const Correlation = Type.Object({
  rows: Type.Integer(),
  correlation: orNull<number>("number", "Spearman's correlation of ranks. null if all verdicts or lengths are equal."),
  interval: JudgeInterval,
})

/** The words of a conclusion about a judge. */
export const JUDGE_CONCLUSIONS = ["fit", "corrected", "not_yet"] as const

/** The evidence of labels, lengths and repeats about the judge of a score. */
export const JudgeReport = Type.Object(
  {
    model: orNull<string>("string", "The model that judges. null if it is not known."),
    rows: Type.Integer({ description: "Verdicts: rows and repeats with a score." }),
    level: enumeration(["nominal", "interval"] as const, {
      description: "`nominal`: verdicts are labels, which are equal or not. `interval`: numbers of a scale.",
    }),
    agreement: Type.Union([PairAgreement, Type.Null()], {
      description: "Between the judge and people, over all rows with a label. null: no row has one.",
    }),
    people: Type.Union([Type.Composite([PairAgreement, Type.Object({ authors: Type.Integer() })]), Type.Null()], {
      description: "Between people, over rows with labels of two or more. null: there are none.",
    }),
    difference: Type.Union([Type.Object({ mean: Type.Number(), interval: JudgeInterval }), Type.Null()], {
      description: "The mean of the judge minus that of people over all rows of the job, by labels that were drawn.",
    }),
    length: Type.Union(
      [
        Type.Composite([Correlation, Type.Object({ given_labels: Type.Union([Correlation, Type.Null()]) })]),
        Type.Null(),
      ],
      {
        description:
          "Of verdicts with the lengths of answers in characters. `given_labels`: over rows with a label, without what labels explain. null: there are no lengths.",
      },
    ),
    position: Type.Union(
      [
        Type.Object({
          basis: enumeration(["both_orders", "labels"] as const, {
            description:
              "`both_orders`: the judge saw both orders of two answers. `labels`: it saw one, and says A, B or tie.",
          }),
          rows: Type.Integer(),
          first: Type.Integer({ description: "Rows in which the answer that is shown first wins, in both orders." }),
          second: Type.Integer({ description: "Rows in which the answer that is shown second wins, in both orders." }),
          share: orNull<number>("number", "first / (first + second): 0.5 without bias."),
          low: Type.Number(),
          high: Type.Number(),
        }),
        Type.Null(),
      ],
      { description: "null: the judge compares no two answers." },
    ),
    flips: Type.Union(
      [
        Type.Object({
          rows: Type.Integer({ description: "Rows whose same output was judged more than once." }),
          flipped: Type.Integer({ description: "Rows of them with different verdicts." }),
          flip_rate: orNull<number>("number", "flipped / rows"),
          low: Type.Number(),
          high: Type.Number(),
        }),
        Type.Null(),
      ],
      { description: "null: no output was judged twice." },
    ),
    conclusion: enumeration(JUDGE_CONCLUSIONS, {
      description:
        "`fit`: gates can compare the mean of the judge. `corrected`: they should compare the mean that labels correct. `not_yet`: more labels are needed.",
    }),
    labels_next: Type.Integer({ description: "About how many more labels change the conclusion. 0: none are needed." }),
    message: Type.String({ description: "The conclusion in words, with its reason." }),
  },
  { $id: "JudgeReport" },
)
export type JudgeReport = Static<typeof JudgeReport>
export type JudgeConclusion = (typeof JUDGE_CONCLUSIONS)[number]
