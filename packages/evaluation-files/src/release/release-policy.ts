import { Type, type Static } from "@sinclair/typebox"
import { AnyName, JobGate, numberField, RELEASE_TIERS } from "@assay/schemas"

/** Evaluations of a policy. */
export const MAX_EVALUATIONS = 100

const { task, metric, score, op, value, corrected, on_these_rows, max_unscored } = JobGate.properties

const LowBaseline = Type.Object(
  {
    below: numberField("score", { description: "The guard applies if the mean of `against` is lower than this." }),
    relative_margin: Type.Number({
      minimum: 0,
      maximum: 1,
      description:
        "The share of the mean of `against` that the score may lose then. The stricter of this and `margin` counts.",
    }),
  },
  {
    additionalProperties: false,
    description: "A guard for scores that are low already, of which a fixed margin would allow to lose most.",
    examples: ["{below: 0.3, relative_margin: 0.1}"],
  },
)

/** A gate of an evaluation: with `op` and `value` a limit, else a comparison with `against` of the evaluation. */
const PolicyGateObject = Type.Object(
  {
    task: Type.Optional(task),
    metric,
    score,
    op,
    value,
    corrected,
    on_these_rows,
    max_unscored,
    margin: Type.Optional(
      numberField("margin", {
        description: "How much worse than `against` the mean score may be and still pass. Default 0.",
      }),
    ),
    low_baseline: Type.Optional(LowBaseline),
  },
  {
    additionalProperties: false,
    description: "A gate: with `op` and `value` a limit, and without them a comparison with `against` row by row.",
  },
)

const PolicyEvaluation = Type.Object(
  {
    results: Type.String({
      minLength: 1,
      maxLength: 1000,
      description: "The folder with the results of the new version, relative to the file.",
      examples: ["./results/support"],
    }),
    run: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 1000,
        description:
          "The evaluation file that `assay release run` runs if there are no results, relative to the file. It describes one job.",
        examples: ["./support.yaml"],
      }),
    ),
    tier: Type.String({
      enum: [...RELEASE_TIERS],
      description: "critical or supporting, which block the release, or advisory, which does not.",
      examples: ["critical"],
    }),
    against: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 1000,
        description: "The folder with the results of the version in use.",
        examples: ["./baseline/support"],
      }),
    ),
    gates: Type.Optional(
      Type.Array(Type.Union([Type.String({ minLength: 1 }), PolicyGateObject]), {
        maxItems: 50,
        description:
          "Limits such as `equals >= 0.8`, and comparisons such as `{metric: equals, margin: 0.02}`. Default with `against`: each score that decides may not be worse.",
        examples: ["[equals >= 0.8]"],
      }),
    ),
  },
  { additionalProperties: false, description: "An evaluation, its results, and what they have to keep." },
)

/** The rules that a release has to keep, over many evaluations. */
export const ReleasePolicy = Type.Object(
  {
    version: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 1, description: "The version of the form of this file, which is 1." }),
    ),
    description: Type.Optional(Type.String({ maxLength: 10_000, description: "For readers of the file." })),
    alpha: Type.Optional(
      Type.Number({
        exclusiveMinimum: 0,
        maximum: 0.5,
        default: 0.05,
        description: "The probability of any wrong verdict among the gates that block.",
      }),
    ),
    evaluations: Type.Record(AnyName, PolicyEvaluation, {
      minProperties: 1,
      maxProperties: MAX_EVALUATIONS,
      description: "Evaluations by their names.",
    }),
  },
  { $id: "ReleasePolicy", additionalProperties: false },
)
export type ReleasePolicy = Static<typeof ReleasePolicy>
export type PolicyGateObject = Static<typeof PolicyGateObject>
