import {
  DatasetPin,
  EvaluationConfigBody,
  EvaluationResult,
  EvaluationTargetBody,
  LabelRow,
  ScoreComparison,
} from "@assay/schemas"
import { type Static, Type } from "@sinclair/typebox"

export const STATEMENT_TYPE = "https://in-toto.io/Statement/v1"
export const PREDICATE_TYPE = "https://github.com/assay/assay/verdict/v1"

const closed = { additionalProperties: false } as const
const Sha256 = Type.String({ pattern: "^[0-9a-f]{64}$" })
const Count = Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER })
const Words = <Word extends string>(...words: readonly Word[]) => Type.Union(words.map((word) => Type.Literal(word)))
const Verdict = Words("PASS", "FAIL", "INCONCLUSIVE")
const named = <Value extends ReturnType<typeof Type.Unknown>>(value: Value) => Type.Record(Type.String(), value)

/** The rows of a side: where they are, and what proves them. */
const BundleRows = Type.Object(
  {
    placement: Words("inside", "reference"),
    count: Count,
    bytes: Count,
    sha256: Sha256,
    root: Sha256,
    checks: Type.String(),
  },
  closed,
)

const CountedMetric = Type.Object(
  {
    key: Type.String(),
    type: Type.String(),
    scores: Type.Array(Type.String()),
    labels: Type.Optional(Type.Record(Type.String(), Type.Array(Type.String()))),
    ranges: Type.Optional(Type.Record(Type.String(), Type.Tuple([Type.Number(), Type.Number()]))),
    is_amount: Type.Optional(Type.Boolean()),
    of_texts: Type.Array(Type.String()),
  },
  closed,
)

const CountedTask = Type.Object(
  {
    name: Type.String(),
    group: Type.Optional(Type.String()),
    repeats: Type.Integer({ minimum: 1, maximum: 65_535 }),
    cluster_by: Type.Optional(Type.String()),
    slices: Type.Array(Type.String(), { maxItems: 100 }),
    metrics: Type.Array(CountedMetric),
  },
  closed,
)

/** Labels of people: from whom, and what they said about which answer. */
const Labels = Type.Array(Type.Omit(LabelRow, ["note"], closed))

/** The labels that metrics of a side name, by which their means are corrected. */
const SideLabels = Type.Object(
  {
    /** As the metrics name them. */
    reference: Type.String(),
    name: Type.String(),
    rows: Labels,
  },
  closed,
)

const BundleGate = Type.Object({
  name: Type.String(),
  limit: Type.String(),
  /** Null: the score measures something else in the results that the gate compares with. */
  verdict: Type.Union([Verdict, Type.Null()]),
})

/** A job of the bundle. */
const BundleSide = Type.Object(
  {
    /** `reference`: results with which a gate of the configuration compares rows. */
    role: Words("candidate", "baseline", "reference"),
    name: Type.String(),
    id: Type.String(),
    namespace: Type.String(),
    status: Type.String(),
    /** Null: it is left out. */
    target: Type.Union([EvaluationTargetBody, Type.Null()]),
    config: EvaluationConfigBody,
    pins: Type.Array(DatasetPin),
    conditions: Type.Array(Type.Object({ code: Type.String(), count: Count }, closed)),
    environment: named(Type.Unknown()),
    /** The seed of the random order of rows, if gates or a budget could end the job. */
    order_seed: Count,
    /** The units of each task: rows times repeats. */
    units: Type.Record(Type.String(), Type.Integer({ minimum: 0, maximum: 2 ** 31 })),
    /** By `task.metric`. */
    metrics: Type.Record(Type.String(), Type.Object({ type: Type.String(), identity: Sha256 }, closed)),
    /** The tasks without texts. Only in a redacted bundle. */
    tasks: Type.Optional(Type.Array(CountedTask)),
    result: Type.Object(
      { tasks: EvaluationResult.properties.tasks, groups: EvaluationResult.properties.groups },
      closed,
    ),
    gates: Type.Array(BundleGate),
    /** Absent: corrections are taken as they are, if there are any. */
    labels: Type.Optional(Type.Array(SideLabels, { maxItems: 100 })),
    rows: BundleRows,
  },
  closed,
)

const BundleComparison = Type.Object(
  {
    margin: Type.Number({ minimum: 0 }),
    allow_changed: Type.Boolean(),
    /** Null: a score that decides measures something else in the baseline. */
    verdict: Type.Union([Verdict, Type.Null()]),
    scores: Type.Array(ScoreComparison),
    changed_rows_total: Count,
    changes: Type.Array(Type.String()),
    warnings: Type.Array(Type.String()),
  },
  closed,
)

/** Labels of people for the scores of the comparison. */
const BundleLabels = Type.Object({ name: Type.String(), rows: Labels }, closed)

const VerdictPredicate = Type.Object(
  {
    /** The version of the program that wrote the bundle. */
    assay: Type.String(),
    created_at: Type.String(),
    signer: Type.Object({ keyid: Sha256, public_key: Type.String() }, closed),
    redacted: Type.Boolean(),
    sides: Type.Array(BundleSide, { minItems: 1, maxItems: 20 }),
    comparison: Type.Union([BundleComparison, Type.Null()]),
    /** Absent: the comparison is one of the scores as they are. */
    labels: Type.Optional(BundleLabels),
    /** The worst verdict of gates and comparison. Null: there are none. */
    verdict: Type.Union([Verdict, Type.Null()]),
  },
  closed,
)

/** An in-toto statement about a verdict: its subjects are the files that the rows come from. */
export const VerdictStatement = Type.Object(
  {
    _type: Type.Literal(STATEMENT_TYPE),
    subject: Type.Array(Type.Object({ name: Type.String(), digest: Type.Object({ sha256: Sha256 }, closed) }, closed), {
      minItems: 1,
    }),
    predicateType: Type.Literal(PREDICATE_TYPE),
    predicate: VerdictPredicate,
  },
  closed,
)
export type VerdictStatement = Static<typeof VerdictStatement>
export type VerdictPredicate = Static<typeof VerdictPredicate>
export type BundleSide = Omit<Static<typeof BundleSide>, "config"> & { config: EvaluationConfigBody }
export type BundleComparison = Static<typeof BundleComparison>
export type BundleLabels = Static<typeof BundleLabels>
export type SideLabels = Static<typeof SideLabels>
export type BundleVerdict = VerdictPredicate["verdict"]
