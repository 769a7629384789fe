import { Type, type Static } from "@sinclair/typebox"
import { enumeration, orNull } from "../../records/field-types.ts"

const Interval = Type.Object({
  low: Type.Number(),
  high: Type.Number(),
  confidence: Type.Number(),
  method: Type.String({ description: "`betting`: valid at any number of labels, and whenever it is looked at." }),
})

/** The difference of two jobs as people would see it, from a judge's scores of all rows and a few labels. */
export const CorrectedDifference = Type.Object(
  {
    difference: orNull<number>("number", "The job's mean minus the first one's; null without labels on both sides."),
    interval: Type.Union([Interval, Type.Null()], {
      description: "Null for fewer than 10 labels on a side, unless every row that differs has both labels.",
    }),
    verdict: Type.Union([enumeration(["PASS", "INCONCLUSIVE", "FAIL"] as const), Type.Null()], {
      description:
        "Whether people would see the job as at most the margin worse. Null if the score measures something else.",
    }),
    labels: Type.Integer({ description: "Labels that count, on both sides together." }),
    labels_of: Type.Object(
      { baseline: Type.Integer(), job: Type.Integer() },
      { description: "Labels that count on each side. Rows with the same output on both sides need none." },
    ),
    differing: Type.Integer({ description: "Answers that differ between the jobs: the others need no label." }),
    fileset: Type.String({ description: "Where the labels are." }),
    covers: enumeration(["rows-like-these", "these-rows"] as const, {
      description:
        "`rows-like-these`: the difference for all rows like these. `these-rows`: labels were asked for until it was decided, for the rows of the jobs.",
    }),
    left_open: Type.Integer({
      description:
        "Rows of a draw without a label though later ones have one. The comparison is not decided while there are some.",
    }),
    labels_needed: orNull<number>(
      "integer",
      "Approximate number of labels on each side that would decide; null if it is decided, or if labels of all rows would not.",
    ),
    notes: Type.Array(Type.String()),
  },
  {
    $id: "CorrectedDifference",
    description:
      "The difference that people would see. Only with `corrected`, and for scores of judges or with labels.",
  },
)
export type CorrectedDifference = Static<typeof CorrectedDifference>
