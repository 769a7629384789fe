import { open, rm } from "node:fs/promises"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import type { EvaluationConfigBody, EvaluationTargetBody } from "@assay/schemas"
import { atLeast, atMost, forComparison, type Bench, type Measurement } from "../bench.ts"
import { startChildServer } from "../child-server.ts"
import type { RunReport } from "../evaluate/run-spec.ts"
import { scoreShortRows } from "../evaluate/short-rows.ts"
import { writeQuestions } from "../evaluate/write-questions.ts"
import { fakeServer } from "../fakes/fake-server.ts"
import { inTurns } from "../in-turns.ts"
import { outputOf } from "../output-of.ts"

const MIB = 1_048_576
const ROWS = "assay://datasets/bench/questions/rows.jsonl"
const script = (name: string) => fileURLToPath(new URL(`../evaluate/${name}.ts`, import.meta.url))

export const evaluate: Bench = {
  name: "evaluate",
  async run({ folder }) {
    const { bleu, rouge } = scoreShortRows()
    await writeQuestions(join(folder, "rows.jsonl"), 1_000_000)
    return [
      ...(await asked(folder)),
      ...(await grown(folder)),
      ...(await cached(folder)),
      atLeast("sentence BLEU, short rows a second", bleu, 20_000, "13a, exponential smoothing"),
      atLeast("ROUGE 1, 2, 3 and L, short rows a second", rouge, 20_000, "with stemming"),
      ...(await archived(folder)),
    ]
  },
}

function askingConfig(rows: number, parallelism: number): EvaluationConfigBody {
  return {
    type: "custom",
    params: { limit_samples: rows, parallelism },
    tasks: {
      capitals: {
        type: "chat-completion",
        dataset: { files_url: ROWS },
        params: { template: { messages: [{ role: "user", content: "{{ item.question }}" }] } },
        metrics: {
          right: { type: "string-check", params: { check: ["{{ sample.output_text }}", "contains", "Paris"] } },
        },
      },
    },
  }
}

const modelAt = (url: string): EvaluationTargetBody => ({
  type: "model",
  model: { api_endpoint: { url: `${url}/v1`, model_id: "chat" } },
})

/** Runs a job in a separate process, from the beginning unless its journal is kept. */
async function runJob(
  folder: string,
  job: { readonly target: EvaluationTargetBody; readonly config: EvaluationConfigBody },
  keepsJournal = false,
): Promise<RunReport> {
  if (!keepsJournal) await rm(join(folder, "rows.journal"), { force: true })
  return JSON.parse(await outputOf(script("run-job"), [JSON.stringify({ folder, ...job })])) as RunReport
}

async function bareLoop(client: "openai" | "undici", url: string, rows: number, parallelism: number): Promise<number> {
  const args = [client, url, String(rows), String(parallelism)]
  return (JSON.parse(await outputOf(script("bare-loop"), args)) as { seconds: number }).seconds
}

async function asked(folder: string): Promise<readonly Measurement[]> {
  const found: Measurement[] = []
  for (const [latencyMs, rows, parallelism, bar] of [
    [0, 1000, 64, 0.85],
    [50, 1000, 64, 0.85],
    [50, 5000, 256, 1],
  ] as const) {
    const fake = await startChildServer(fakeServer("chat"), [String(latencyMs)])
    const job = { target: modelAt(fake.url), config: askingConfig(rows, parallelism) }
    const [ours = 0, openai = 0, undici = 0] = await inTurns([
      async () => (await runJob(folder, job)).seconds,
      () => bareLoop("openai", fake.url, rows, parallelism),
      () => bareLoop("undici", fake.url, rows, parallelism),
    ])
    await fake.stop()
    const work = `${rows.toLocaleString("en-US")} rows at ${latencyMs} ms, ${parallelism} in flight`
    found.push(atLeast(`${work}, to a bare openai loop`, openai / ours, bar, `${Math.round(rows / ours)} rows/s`))
    found.push(forComparison("the same, to bare undici", (undici / ours).toFixed(2)))
  }
  return found
}

async function grown(folder: string): Promise<readonly Measurement[]> {
  const fake = await startChildServer(fakeServer("chat"), ["0"])
  const target = modelAt(fake.url)
  const few = await runJob(folder, { target, config: askingConfig(1000, 64) })
  const many = await runJob(folder, { target, config: askingConfig(100_000, 64) })
  await fake.stop()
  const resumed = await resume(folder)
  const growth = (many.peakBytes - few.peakBytes) / MIB
  return [
    atMost(
      "MiB more for 100,000 asked rows than for 1,000",
      growth,
      64,
      `${(many.peakBytes / MIB).toFixed(0)} MiB in all`,
    ),
    resumed,
  ]
}

/** The journal of 100,000 rows is complete. With twice the rows, half of the job is done. */
async function resume(folder: string): Promise<Measurement> {
  const fake = await startChildServer(fakeServer("chat"), ["first"])
  const started = Date.now()
  await runJob(folder, { target: modelAt(fake.url), config: askingConfig(100_010, 64) }, true)
  const first = Number(await (await fetch(fake.url)).text())
  await fake.stop()
  const work = "seconds to the first new question of a job with 100,000 answered rows, its process included"
  return atMost(work, (first - started) / 1000, 2, "read from the journal")
}

async function cached(folder: string): Promise<readonly Measurement[]> {
  const reference = { ground_truth: "{{ item.reference }}" }
  const config: EvaluationConfigBody = {
    type: "custom",
    tasks: {
      scored: {
        type: "data",
        metrics: { exact: { type: "em", params: reference }, f1: { type: "f1", params: reference } },
      },
    },
  }
  const target: EvaluationTargetBody = { type: "cached_outputs", cached_outputs: { files_url: ROWS } }
  const { rows, seconds, peakBytes } = await runJob(folder, { target, config })
  return [
    atLeast(
      "cached rows a second, exact match and F1",
      rows / seconds,
      100_000,
      `${rows.toLocaleString("en-US")} rows`,
    ),
    atMost("resident memory of that, MiB", peakBytes / MIB, 400, "highest"),
  ]
}

async function archived(folder: string): Promise<readonly Measurement[]> {
  const path = join(folder, "large.jsonl")
  const file = await open(path, "w")
  await file.truncate(5 * 1024 * MIB)
  await file.close()
  const { first, seconds, bytes, growth } = JSON.parse(await outputOf(script("measure-archive"), [path])) as {
    readonly first: number
    readonly seconds: number
    readonly bytes: number
    readonly growth: number
  }
  return [
    atMost("seconds until an archive of 5 GiB begins", first / 1000, 1, `${Math.round(bytes / MIB / seconds)} MiB/s`),
    atMost("growth of resident memory in that, MiB", growth / MIB, 128, "of its process; pieces of 1 MiB"),
  ]
}
