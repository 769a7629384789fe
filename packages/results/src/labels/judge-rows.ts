import { digestNumber, outputDigest } from "../rows/output-digest.ts"
import { setImmediate } from "node:timers/promises"
import type { EvaluationConfigBody } from "@assay/schemas"
import type { RowsReader } from "../rows/read-rows.ts"
import { createJudgedSum } from "../row-index/labels/judged-sum.ts"
import type { JudgedScores } from "../row-index/labels/judged-scores.ts"
import { countLeftOpen } from "../row-index/labels/left-open.ts"
import { createRowGroups, createRowValues, type RowValues } from "@assay/metrics"
import { runParams } from "@assay/scoring"
import { drawsOf, type PeopleLabel } from "./people-labels.ts"

/** A score of the rows of a task, and the labels that people gave for it. */
export interface ScoreToJudge {
  readonly task: string
  readonly metric: string
  readonly score: string
  /** By number of the digest. */
  readonly people: ReadonlyMap<number, PeopleLabel>
}

/** Says which rows belong together. */
export interface ClusterConfig {
  readonly config: Pick<EvaluationConfigBody, "tasks" | "params"> | undefined
}

/**
 * Sums scores over all rows of a journal, in one pass. The last attempt of a row counts. Takes 8 bytes for each row of a task, 8 for its group, and 8 for
 * each of its scores.
 * @returns a sum for each score, in their order
 */
export async function judgeRows(
  journal: Pick<RowsReader, "read">,
  scores: readonly ScoreToJudge[],
  { config }: ClusterConfig,
  signal?: AbortSignal,
): Promise<readonly JudgedScores[]> {
  const values = scores.map((one) => ({ ...one, values: createRowValues() }))
  const tasks = new Map(
    [...Map.groupBy(values, ({ task }) => task)].map(([task, own]) => {
      const clusterBy = clusterField(config, task)
      const groups = clusterBy === undefined ? undefined : { rows: createRowValues(), of: createRowGroups(clusterBy) }
      return [task, { own, digests: createRowValues(), groups }]
    }),
  )
  for await (const rows of journal.read(signal)) {
    for (const row of rows) {
      const task = tasks.get(row.task)
      if (task === undefined) continue
      const { row_index: index, repeat } = row
      task.digests.set(index, repeat, digestNumber(outputDigest(row)))
      task.groups?.rows.set(index, 0, task.groups.of.of(row))
      for (const { metric, score, values: own } of task.own) {
        const value = row.scores[metric]?.[score]
        own.set(index, repeat, typeof value === "number" ? value : Number.NaN)
      }
    }
  }
  const sums: JudgedScores[] = []
  for (const { task, metric, score, people, values: own } of values) {
    const { digests = own, groups } = tasks.get(task) ?? {}
    sums.push({ score: `${metric}.${score}`, ...(await sumOf({ values: own, digests, groups: groups?.rows }, people)) })
  }
  return sums
}

/** Returns the field of `cluster_by`, or undefined. */
export function clusterField(config: ClusterConfig["config"], task: string): string | undefined {
  return runParams(config?.params, config?.tasks?.[task]?.params).clusterBy
}

/** Rows that are summed before other work gets a turn. */
const ROWS_PER_TURN = 20_000

interface JudgedValues {
  readonly values: RowValues
  readonly digests: RowValues
  readonly groups: RowValues | undefined
}

async function sumOf(
  { values, digests, groups }: JudgedValues,
  people: ScoreToJudge["people"],
): Promise<Omit<JudgedScores, "score">> {
  const sum = createJudgedSum(people)
  for (let row = 0; row < values.rows; row++) {
    if (row % ROWS_PER_TURN === 0) await setImmediate()
    const cluster = groups?.get(row, 0)
    for (let repeat = 0; repeat < values.repeats; repeat++) {
      sum.add(values.get(row, repeat), { digest: digests.get(row, repeat), repeat, cluster })
    }
  }
  const leftOpen = countLeftOpen((visit) => {
    for (let row = 0; row < values.rows; row++) {
      for (let repeat = 0; repeat < values.repeats; repeat++) {
        const value = values.get(row, repeat)
        const digest = digests.get(row, repeat)
        if (Number.isFinite(value) && !Number.isNaN(digest)) visit(digest, value)
      }
    }
  }, drawsOf(people))
  return { ...sum.result(), leftOpen }
}
