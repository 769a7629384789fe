import { invalidRequest, numberField, type PairComparison } from "@assay/schemas"
import { type Static, Type } from "@sinclair/typebox"
import { boundItems, withNotes } from "../answers/bound-answer.ts"
import { defineTool } from "../tool.ts"
import { filesetField, jobField, notesField } from "./fields.ts"

const MAX_SCORES = 50
const MAX_CHANGED_ROWS = 10
const OrNull = <T extends ReturnType<typeof Type.Number>>(schema: T) => Type.Union([schema, Type.Null()])

const Corrected = Type.Object(
  {
    difference: OrNull(Type.Number()),
    low: OrNull(Type.Number()),
    high: OrNull(Type.Number()),
    verdict: Type.Union([Type.String(), Type.Null()]),
    labels: Type.Integer({ description: "Labels that count." }),
    differing: Type.Integer({ description: "Answers that differ between the jobs: the others need no label." }),
    labels_needed: OrNull(
      Type.Number({ description: "About how many labels of each job would decide. Null: decided, or undecidable." }),
    ),
    notes: Type.Array(Type.String()),
  },
  { description: "The difference that people would see, with corrected. The score is decided by it." },
)

export const compareJobs = defineTool({
  name: "compare_jobs",
  title: "Compare two jobs",
  description:
    "Compares a finished job with a baseline, row by row: each score with the difference, its interval and whether that is noise, and the rows that changed most. The verdict is FAIL if a score is worse, and INCONCLUSIVE if the rows cannot decide: do not call that an improvement. With corrected, scores of judges are decided by the difference that people would see.",
  effect: "reads",
  input: Type.Object(
    {
      baseline: jobField("The id of the job to compare with."),
      job: jobField("The id of the job that is judged."),
      margin: numberField("margin", { default: 0, description: "How much worse a score may be and still pass." }),
      allow_changed: Type.Boolean({
        default: false,
        description: "Decide also scores whose metric or judge differs between the jobs.",
      }),
      corrected: Type.Boolean({
        default: false,
        description:
          "Decide scores of judges, and scores with labels, by the difference that people would see, from labels of some rows.",
      }),
      labels: Type.Optional({
        ...filesetField,
        description: "With corrected: the fileset with the labels. Default: labels in the workspace of the baseline.",
      }),
    },
    { additionalProperties: false },
  ),
  output: Type.Object({
    verdict: Type.Union([Type.String(), Type.Null()], {
      description: "PASS, INCONCLUSIVE or FAIL. Null: a score measures something else in the other job.",
    }),
    scores: Type.Array(
      Type.Object({
        score: Type.String({ description: "`task.metric.score`" }),
        higher_is_better: Type.Boolean(),
        decides: Type.Boolean({ description: "Whether it counts in the verdict." }),
        baseline: Type.Unknown(),
        value: Type.Unknown(),
        difference: OrNull(Type.Number()),
        low: OrNull(Type.Number()),
        high: OrNull(Type.Number()),
        rows: OrNull(Type.Number()),
        verdict: Type.Union([Type.String(), Type.Null()], {
          description: "Null: only over all rows at once, or the score measures something else in the other job.",
        }),
        corrected: Type.Optional(Corrected),
      }),
    ),
    changed_rows: Type.Array(
      Type.Object({
        task: Type.String(),
        row_index: Type.Integer(),
        change: Type.String(),
        item: Type.String(),
        answers: Type.Array(Type.Union([Type.String(), Type.Null()])),
      }),
    ),
    changed_rows_total: Type.Integer(),
    warnings: Type.Array(Type.String()),
    notes: notesField,
  }),
  run: async ({ baseline, job, margin, allow_changed, corrected, labels }, { client, signal }) => {
    if (labels !== undefined && !corrected) {
      throw invalidRequest(["labels"], "is for a comparison by what people would see: add corrected.", "value_error")
    }
    const people = labels === undefined ? { corrected } : { corrected, labels }
    const options = { margin, allowChanged: allow_changed, ...people, signal }
    const found = await client.evaluation.compare([baseline, job], options)
    const scores = found.scores.map(({ task, metric, score, values, pairs: [pair], ...rest }) => ({
      score: `${task}.${metric}.${score}`,
      higher_is_better: rest.higher_is_better,
      decides: rest.decides,
      baseline: values[0] as unknown,
      value: values[1] as unknown,
      difference: pair?.difference ?? null,
      low: pair?.interval?.low ?? null,
      high: pair?.interval?.high ?? null,
      rows: pair?.rows ?? null,
      // A score that does not decide has no verdict.
      verdict: rest.decides ? (pair?.verdict ?? null) : null,
      ...correctedOf(pair),
    }))
    const rows = found.changed_rows.slice(0, MAX_CHANGED_ROWS).map(({ task, row_index, change, item, answers }) => {
      return { task, row_index, change: change, item, answers: [...answers] }
    })
    const { kept, notes } = boundItems(rows, { noun: "changed row", rest: () => "Read others with list_failing_rows." })
    const left = scores.length - MAX_SCORES
    return {
      verdict: found.verdict,
      // Scores that decide are the ones to act on.
      scores: scores.toSorted((a, b) => Number(b.decides) - Number(a.decides)).slice(0, MAX_SCORES),
      changed_rows: [...kept],
      changed_rows_total: found.changed_rows_total,
      warnings: [...(found.changes ?? []), ...found.warnings].slice(0, MAX_SCORES),
      ...withNotes(notes, left > 0 ? [`${left} more scores are left out: \`assay eval compare\` prints all.`] : []),
    }
  },
})

function correctedOf(pair: PairComparison | undefined): { readonly corrected?: Static<typeof Corrected> } {
  if (pair?.corrected === undefined) return {}
  const { difference, interval, verdict, labels, differing, labels_needed, notes } = pair.corrected
  const [low, high] = [interval?.low ?? null, interval?.high ?? null]
  return { corrected: { difference, low, high, verdict, labels, differing, labels_needed, notes } }
}
