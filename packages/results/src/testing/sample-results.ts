import type { EvaluationRow, ScoreValue } from "@assay/schemas"
import { tokenSums } from "../progress/token-sums.ts"
import type { RowsReader } from "../rows/read-rows.ts"
import { checkGates, type ScoreGate } from "../scores/check-gates.ts"
import type { ResultsInput, ResultsSink } from "../results-input.ts"
import { resultOf, rowOf, summaryOf } from "./tiny-result.ts"

/** Returns a journal with these rows. */
export function journalOf(rows: readonly EvaluationRow[]): RowsReader {
  return {
    async *read() {
      for (let at = 0; at < rows.length; at += 10) yield rows.slice(at, at + 10)
    },
    async *bytes() {
      for (const row of rows) yield Buffer.from(`${JSON.stringify(row)}\n`)
    },
  }
}

/** Creates a sink that keeps files as texts. */
export function createTextSink(): ResultsSink & { readonly files: Map<string, string> } {
  const files = new Map<string, string>()
  return {
    files,
    async write(path, open) {
      files.set(path, Buffer.concat(await Array.fromAsync(open())).toString())
    },
  }
}

export interface SampleOptions {
  /** Added to every text that comes from outside. */
  readonly words?: string
  readonly rows?: number
  readonly gates?: readonly ScoreGate[]
}

/** Returns a finished job with everything that results can contain. */
export function sampleResults({ gates = [], ...options }: SampleOptions = {}): ResultsInput {
  const ungated = ungatedResults(options)
  const { result, progress } = ungated
  if (result === null || progress === undefined) return ungated
  const outcomes = checkGates(result, gates)
  const states = outcomes.map((one) => ({ ...one, stop: "never" as const, alpha: 0.05, decided_after: null }))
  return { ...ungated, progress: { ...progress, gates: states } }
}

function ungatedResults({ words = "", rows: count = 60 }: SampleOptions): ResultsInput {
  const right = (at: number): ScoreValue => (at % 3 === 0 ? 0 : 1)
  const helpful = (at: number): ScoreValue => (at % 17 === 5 ? "NaN" : 1 + ((at * 7) % 5))
  const overlap = (at: number) => Math.min(1, 0.2 + ((at * 37) % 80) / 100)
  const numbers = Array.from({ length: count }, (_, at) => at)
  const scoresAt = (at: number) => ({
    correct: { "string-check": right(at) },
    rouge: { rouge_L_score: overlap(at) },
    judge: { helpful: helpful(at) },
    speed: { latency_ms: 200 + ((at * 53) % 900) },
  })
  const answer = (at: number): EvaluationRow["sample"] => ({
    output_text: `The answer to question ${at} is ${at * 2}. ${words}`,
    response: null,
    usage: { prompt_tokens: 40, completion_tokens: 12, total_tokens: 52 },
    latency_ms: 200 + ((at * 53) % 900),
    finish_reason: "stop",
  })
  const rows = numbers.map((at): EvaluationRow =>
    rowOf(at, scoresAt(at), {
      item: { prompt: `What is ${at} times two? ${words}`, reference: `${at * 2}`, tags: ["arithmetic", words] },
      sample: answer(at),
      ...(helpful(at) === "NaN"
        ? { unreadable: { judge: { reason: "no JSON object", raw: `I would say 4. ${words}` } } }
        : {}),
    }),
  )
  const failed = rowOf(
    count,
    {},
    { sample: null, error: { code: "request_timeout", message: `No answer within 60 s. ${words}` } },
  )
  const unreadable = numbers.filter((at) => helpful(at) === "NaN").length
  const lost = { errored: 1 }
  return {
    job: {
      id: "eval-3QJmnh8Y1kGqvS4cQKFJ2b",
      namespace: "default",
      target: {
        type: "model",
        model: {
          api_endpoint: { url: "http://127.0.0.1:8000/v1", model_id: `small-model ${words}`, api_key: "sk-secret-key" },
        },
      },
      config: {
        type: "custom",
        name: "arithmetic",
        params: { parallelism: 8 },
        tasks: {
          qa: { type: "chat-completion", metrics: { correct: { type: "string-check" }, speed: { type: "latency" } } },
        },
      },
      started_at: "2026-11-20T12:00:00Z",
      finished_at: "2026-11-20T12:00:09Z",
    },
    status: "COMPLETED",
    message: `${count + 1} rows were answered; 1 failed. ${words}`,
    result: resultOf({
      task: "qa",
      metrics: {
        correct: { "string-check": summaryOf(numbers.map(right), lost) },
        rouge: { rouge_L_score: summaryOf(numbers.map(overlap), lost) },
        judge: {
          helpful: {
            ...summaryOf(numbers.map(helpful), { ...lost, unreadable }),
            labels: { poor: 12, fair: 11, good: 12, [`very good ${words}`]: 11, excellent: 10 },
          },
        },
        speed: {
          latency_ms: summaryOf(
            numbers.map((at) => 200 + ((at * 53) % 900)),
            lost,
          ),
        },
        bleu: {
          corpus: { stats: null, value: 41.27, counts: { scored: count, unreadable: 0, errored: 1, skipped: 0 } },
        },
      },
    }),
    conditions: [
      {
        code: "judge_output_unreadable",
        title: "Judge output can't be read",
        message: `4 of ${count} answers of the judge have no score. ${words}`,
        evidence: [`I would say 4. ${words}`],
        remedy: "Use a larger judge, or `response_format` in the params of the metric.",
        count: 4,
        first_seen: "2026-11-20T12:00:01Z",
        last_seen: "2026-11-20T12:00:08Z",
      },
    ],
    pins: [
      {
        files_url: "hf://datasets/default/arithmetic/rows.jsonl",
        fileset: "default/arithmetic",
        fileset_id: "fileset-1",
        revision: null,
        files: [
          {
            path: "rows.jsonl",
            size: 4096,
            sha256: "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
            etag: null,
          },
        ],
      },
    ],
    progress: {
      processed: count + 1,
      total: count + 1,
      failed: 1,
      tasks: { qa: "completed" },
      means: {},
      tokens: { ...tokenSums.none, prompt: 40 * count, completion: 12 * count },
    },
    journal: journalOf([...rows, failed]),
    log: [
      { at: Date.UTC(2026, 10, 20, 12), level: "info", message: `started ${words}` },
      { at: Date.UTC(2026, 10, 20, 12, 0, 9), level: "warn", message: "row 60: request_timeout\nretried 3 times" },
    ],
    environment: { assay: "1.0.0", node: "v24.0.0" },
  }
}
