import { Type, type Static } from "@sinclair/typebox"
import { AnyName, enumeration } from "../records/field-types.ts"

const Count = Type.Integer({ minimum: 0 })
const Share = Type.Number({ minimum: 0, maximum: 1 })
const Counts = Type.Record(AnyName, Count)
const OrNull = <T extends ReturnType<typeof Type.Number> | ReturnType<typeof Type.String>>(schema: T) =>
  Type.Union([schema, Type.Null()])
const GateVerdict = enumeration(["PASS", "INCONCLUSIVE", "FAIL"] as const)

const Rate = Type.Object(
  { count: Count, n: Count, rate: OrNull(Share), low: Type.Number(), high: Type.Number() },
  { description: "A share with its 95 % Wilson interval. If `n` is 0, the rate is null and the interval is 0 to 1." },
)

const Bounds = Type.Union([Type.Object({ low: Type.Number(), high: Type.Number() }), Type.Null()], {
  description: "A 95 % interval. Null if it is not defined, such as for full agreement.",
})

const rates = {
  safe: Count,
  unsafe: Count,
  false_block: Rate,
  miss: Rate,
  under_policy: Type.Object(
    { false_block: Rate, miss: Rate },
    { description: "Among all rows: what users would see. A row that ends in an error is not let through." },
  ),
}
const JudgeRates = Type.Object(rates, {
  description:
    "How a judge does on some rows, among those with a verdict. `false_block` is a share of the safe rows, `miss` of the unsafe.",
})

const JudgedExample = Type.Object({
  row: Count,
  id: Type.Optional(Type.String()),
  prompt: Type.String(),
  response: Type.Optional(Type.String()),
  category: Type.Optional(Type.String()),
  language: Type.Optional(Type.String()),
  raw: Type.Union([Type.String(), Type.Null()], { description: "The words of the judge." }),
  reason: Type.Optional(Type.String()),
})

const Roc = Type.Object({
  source: enumeration(["score", "votes"] as const, {
    description:
      "The value that the threshold applies to: the score of the judge, or the share of its repeats that block.",
  }),
  auc: Type.Number(),
  points: Type.Array(
    Type.Object({ threshold: OrNull(Type.Number()), false_block: Type.Number(), recall: Type.Number() }),
  ),
  operating_points: Type.Array(
    Type.Object({ false_block: Type.Number(), recall: Type.Number(), threshold: OrNull(Type.Number()) }),
    { description: "The highest recall at which at most `false_block` of the safe rows are blocked." },
  ),
})

const CalibratedJudge = Type.Object({
  name: Type.String(),
  ...rates,
  unreadable: Type.Object({ count: Count, n: Count, by_reason: Counts }),
  errors: Type.Object({ count: Count, n: Count, by_condition: Counts }),
  precision: OrNull(Type.Number()),
  recall: OrNull(Type.Number()),
  f1: OrNull(Type.Number()),
  kappa: OrNull(Type.Number()),
  kappa_interval: Type.Optional(Bounds),
  flips: Type.Union([Rate, Type.Null()]),
  latency_ms: Type.Object({ p50: OrNull(Type.Number()), p95: OrNull(Type.Number()) }),
  tokens: Type.Object(
    { prompt: Type.Union([Count, Type.Null()]), completion: Type.Union([Count, Type.Null()]) },
    { description: "Tokens of all answers. Null: the endpoint does not count them." },
  ),
  calls: Type.Object({ made: Count, saved: Count }),
  answers: Count,
  by_category: Type.Record(AnyName, JudgeRates),
  by_language: Type.Record(AnyName, JudgeRates),
  roc: Type.Union([Roc, Type.Null()]),
  blocked_safe: Type.Array(JudgedExample),
  missed_unsafe: Type.Array(JudgedExample),
  unreadable_examples: Type.Array(JudgedExample),
  error_examples: Type.Array(JudgedExample),
})

/** The content of `report.json` of a calibration, on a machine or as a job, and of `guardrail.json` of a job that measures a guardrail. */
export const CalibrationReport = Type.Object(
  {
    version: Type.Literal(1),
    data: Type.String(),
    rows: Type.Object({ total: Count, safe: Count, unsafe: Count }),
    repeat: Count,
    asked: Count,
    reused: Count,
    elapsed_ms: Type.Number(),
    limits: Type.Object({ false_block: OrNull(Share), miss: OrNull(Share) }),
    verdict: Type.Union([GateVerdict, Type.Null()], {
      description: "The worst verdict of the gates; null without gates.",
    }),
    recommendation: Type.Object({
      judge: Type.Union([Type.String(), Type.Null()], { description: "Null if no candidate is fit." }),
      reason: Type.String(),
      nearest: OrNull(Type.String()),
      advice: OrNull(Type.String()),
    }),
    judges: Type.Array(CalibratedJudge),
    comparisons: Type.Array(
      Type.Object(
        {
          a: Type.String(),
          b: Type.String(),
          n: Count,
          only_a: Count,
          only_b: Count,
          p: Type.Number(),
          kappa: Type.Optional(OrNull(Type.Number())),
          kappa_interval: Type.Optional(Bounds),
        },
        {
          description:
            "McNemar's exact test over the rows to which both judges gave a verdict, and Cohen's kappa between these verdicts.",
        },
      ),
    ),
    agreement: Type.Optional(
      Type.Union(
        [
          Type.Object({
            judges: Count,
            n: Type.Integer({ minimum: 0, description: "The rows with verdicts of two judges or more." }),
            alpha: OrNull(Type.Number()),
            interval: Bounds,
          }),
          Type.Null(),
        ],
        { description: "Krippendorff's alpha of the verdicts of all judges. Null with one judge." },
      ),
    ),
    gates: Type.Array(
      Type.Object({
        gate: enumeration(["false_block", "miss"] as const),
        judge: Type.String(),
        limit: Share,
        low: Type.Number(),
        high: Type.Number(),
        basis: enumeration(["verdicts", "under_policy"] as const),
        verdict: GateVerdict,
      }),
    ),
    conditions: Type.Array(
      Type.Object({
        code: Type.String(),
        judge: Type.String(),
        title: Type.String(),
        message: Type.String(),
        evidence: Type.Array(Type.String()),
        remedy: Type.String(),
        count: Count,
      }),
    ),
    notes: Type.Array(Type.String()),
  },
  { $id: "CalibrationReport" },
)
export type CalibrationReport = Static<typeof CalibrationReport>
export type CalibratedJudge = Static<typeof CalibratedJudge>
export type CalibrationRate = Static<typeof Rate>
export type CalibratedRates = Static<typeof JudgeRates>
export type JudgedExample = Static<typeof JudgedExample>
export type CalibrationRoc = Static<typeof Roc>
