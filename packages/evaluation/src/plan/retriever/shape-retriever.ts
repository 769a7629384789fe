import { givenOutput, rankings, runParams, valueText } from "@assay/scoring"
import { datasetOf, openTaskRows, taskRows } from "../task-rows.ts"
import type { ShapeTask } from "../task-shape.ts"
import { beirJudgements, judgedRankings } from "./beir-judgements.ts"

/**
 * Shapes a task of a `retriever` configuration, which scores rankings in the rows of the target. The relevant documents are in the
 * dataset of the task, in BEIR's layout; without a dataset, they are in the rows. The results are under `groups.evaluation`.
 */
export const shapeRetriever: ShapeTask = (toShape) => {
  const { target, config, name, task, issues } = toShape
  if (target.type === "model")
    issues.add("target.type: a retriever is scored over given rankings; use cached_outputs, rows or dataset.")
  const names = Object.entries(task.metrics ?? {}).map(([key, { type, params }]) => {
    const depth = params?.["k"] ?? params?.["top_k"]
    return depth === undefined ? (type ?? key) : `${type}_${valueText(depth)}`
  })
  const isOnly = Object.keys(config.tasks ?? {}).length <= 1
  const metric = issues.attempt(() => rankings.metric(isOnly ? "evaluation" : name, names, `tasks.${name}.metrics`))
  const rows = target.type === "model" ? undefined : issues.attempt(() => taskRows(toShape))
  if (metric === undefined || rows === undefined) return undefined
  const run = runParams(config.params, task.params)
  const judgements = datasetOf(task.dataset)
  const split = typeof judgements === "object" ? judgements.split : undefined
  const by = `task '${name}'`
  return {
    name,
    group: "evaluation",
    run,
    rows,
    otherDatasets: judgements === undefined ? [] : [judgements],
    fields: [
      { anyOf: rankings.keys.ranking, by },
      ...(judgements === undefined ? [{ anyOf: rankings.keys.relevance, by }] : []),
    ],
    metrics: [metric],
    endpoints: [],
    async openRows(context) {
      if (judgements === undefined) return openTaskRows(rows, run, context)
      const judged = await beirJudgements(await context.openDataset(judgements), split, context.signal)
      // The limit counts queries. Further queries are left out, so that they do not count as queries without documents.
      const limited = run.limit === undefined ? judged : new Map([...judged].slice(0, run.limit))
      return judgedRankings(await openTaskRows(rows, { limit: undefined }, context), limited)
    },
    openAsk: () => Promise.resolve({ kind: "given", take: givenOutput.ofRow }),
  }
}
