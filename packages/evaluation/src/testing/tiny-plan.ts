import { AssayError, type ErrorCode, type EvaluationRow, type EvaluationSample } from "@assay/schemas"
import type { JobPlan, TaskPlan } from "../plan/task-plan.ts"
import type { BoundMetric, SourceRow } from "@assay/scoring"

/** Returns rows with a `question`, numbered from 0. */
export function tinyRows(count: number): readonly SourceRow[] {
  return Array.from({ length: count }, (_, index) => ({ index, item: { question: `question ${index}` } }))
}

export function tinySample(text: string): EvaluationSample {
  const usage = { prompt_tokens: 2, completion_tokens: 1, total_tokens: 3 }
  return { output_text: text, response: null, usage, latency_ms: 1, finish_reason: "stop" }
}

/** Returns a metric without calls: 1 if the answer is "right", NaN if it is "unreadable", otherwise 0. */
export function tinyMetric(key = "right", over: Partial<BoundMetric> = {}): BoundMetric {
  const valueOf = (text: string | null) => (text === "unreadable" ? "NaN" : text === "right" ? 1 : 0)
  return {
    key,
    type: "tiny",
    scores: [key],
    isRemote: false,
    score: ({ sample }) => ({ scores: { [key]: valueOf(sample.output_text) } }),
    ...over,
  }
}

export interface TinyTask extends Partial<Omit<TaskPlan, "rows">> {
  readonly rows?: readonly SourceRow[]
  /** Default: the number of rows is known at once. */
  readonly count?: TaskPlan["rows"]["count"]
}

/** Returns a plan of one task over rows in memory, in batches of 7. */
export function tinyPlan({ rows = tinyRows(20), count, ...over }: TinyTask): JobPlan {
  async function* open(signal: AbortSignal): AsyncGenerator<readonly SourceRow[], void> {
    for (let start = 0; start < rows.length; start += 7) {
      await Promise.resolve()
      signal.throwIfAborted()
      yield rows.slice(start, start + 7)
    }
  }
  const task: TaskPlan = {
    name: "qa",
    rows: { open, count: count ?? (() => Promise.resolve(rows.length)) },
    ask: { kind: "given", take: () => tinySample("right") },
    metrics: [tinyMetric()],
    repeats: 1,
    parallelism: 4,
    maxFailedShare: 1,
    shardRows: 1000,
    ...over,
  }
  return { tasks: [task], gates: [], pins: [], close: () => Promise.resolve() }
}

/** Returns the last line of each row and repeat. */
export function lastLines(rows: readonly EvaluationRow[]): ReadonlyMap<string, EvaluationRow> {
  return new Map(rows.map((row) => [`${row.row_index}/${row.repeat}`, row]))
}

interface TinyTarget {
  /** The rows that it was called for, in order. */
  readonly asked: number[]
  /** The rows that fail. */
  readonly fails: Set<number>
  plan(over?: TinyTask): JobPlan
}

/** Creates a target that records the rows that it is called for. */
export function createTinyTarget(failing: Iterable<number> = [], code: ErrorCode = "request_timeout"): TinyTarget {
  const asked: number[] = []
  const fails = new Set(failing)
  const call = async (item: Readonly<Record<string, unknown>>) => {
    const row = Number(String(item["question"]).slice(9))
    asked.push(row)
    await Promise.resolve()
    if (fails.has(row)) throw new AssayError(code, `Row ${row} failed.`)
    return tinySample("right")
  }
  const plan = (over: TinyTask = {}) => tinyPlan({ ask: { kind: "call", call }, ...over })
  return { asked, fails, plan }
}
