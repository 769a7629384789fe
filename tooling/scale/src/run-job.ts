import { setTimeout as sleep } from "node:timers/promises"
import { callServer, FILES, type Call } from "./call.ts"
import { questionAbout } from "./cluster/start-endpoint.ts"

export interface JobToRun {
  readonly rows: number
  readonly parallelism: number
  readonly shardRows: number
  /** The URL of the endpoint. */
  readonly endpoint: string
  /** Names the rows of a job whose questions are not in the history. */
  readonly subject?: string | undefined
}

/** The parts of a job that a run looks at. */
export interface JobState {
  readonly status: string
  readonly status_details: { readonly message: string; readonly samples_processed?: number }
}

const JOBS = "/v1/evaluation/jobs"

/** Uploads the rows, and launches a job that asks the endpoint about each of them. Returns the id of the job. */
export async function launchJob(call: Call, job: JobToRun): Promise<string> {
  const { rows, parallelism, shardRows, endpoint, subject } = job
  const name = `rows-${subject ?? rows}`
  await call("POST", FILES, { name })
  const lines = Array.from({ length: rows }, (_, row) => JSON.stringify({ row, question: questionAbout(row, subject) }))
  await call("PUT", `${FILES}/${name}/-/rows.jsonl`, `${lines.join("\n")}\n`)
  const check = ["{{sample.output_text}}", "equals", "right"]
  const task = {
    type: "chat-completion",
    params: { template: { messages: [{ role: "user", content: "{{item.question}}" }] } },
    dataset: { files_url: `hf://datasets/default/${name}/rows.jsonl` },
    metrics: { right: { type: "string-check", params: { check } } },
  }
  const target = { type: "model", model: { api_endpoint: { url: endpoint, model_id: "scale" } } }
  const config = { type: "custom", params: { parallelism, shard_rows: shardRows }, tasks: { qa: task } }
  const { id } = (await call("POST", `${JOBS}?skip_validation_checks=1`, { target, config })) as { id: string }
  return id
}

export async function getJob(call: Call, id: string): Promise<JobState> {
  return (await call("GET", `${JOBS}/${id}`)) as JobState
}

/** Returns the log of a job, with times. */
export async function getLog(call: Call, id: string): Promise<string> {
  return String(await call("GET", `${JOBS}/${id}/logs?format=text`))
}

/** Waits until the job has ended. */
export async function untilEnded(call: Call, id: string): Promise<JobState> {
  for (;;) {
    const job = await getJob(call, id)
    if (["COMPLETED", "FAILED", "CANCELLED"].includes(job.status)) return job
    await sleep(200)
  }
}

/** The rows and the mean score of a job that has ended. */
export interface JobOutput {
  /** The numbers of the last rows, as the API for rows lists them, and the number of all rows there. */
  readonly listed: { readonly last: readonly number[]; readonly total: number }
  /** The lines of `results/rows.jsonl`. */
  readonly lines: AsyncIterable<string>
  /** `stats` of the score, as the server computed it. */
  readonly stats: { readonly count: number; readonly mean: number }
  /** All scores with their statistics and intervals, as JSON. */
  readonly scores: string
}

export async function readOutput(url: string, id: string): Promise<JobOutput> {
  const call = callServer(url)
  const { tasks } = (await call("GET", `${JOBS}/${id}/results`)) as {
    tasks: { qa: { metrics: { right: { scores: Record<string, { stats: JobOutput["stats"] }> } } } }
  }
  const { scores } = tasks.qa.metrics.right
  const [score] = Object.values(scores)
  if (score === undefined) throw new Error("The results have no score.")
  const offset = Math.max(0, score.stats.count - 3)
  const page = (await call("GET", `${JOBS}/${id}/rows?offset=${offset}`)) as {
    readonly data: readonly { readonly row_index: number }[]
    readonly total: number
  }
  const listed = { last: page.data.map((row) => row.row_index), total: page.total }
  const lines = readLines(`${url}${FILES}/evaluation-${id}/-/results/rows.jsonl`)
  return { lines, stats: score.stats, listed, scores: JSON.stringify(scores) }
}

async function* readLines(url: string): AsyncGenerator<string> {
  const response = await fetch(url)
  if (!response.ok || response.body === null) throw new Error(`GET ${url} returned ${response.status}.`)
  let rest = ""
  for await (const piece of response.body.pipeThrough(new TextDecoderStream())) {
    const lines = (rest + piece).split("\n")
    rest = lines.pop() ?? ""
    yield* lines
  }
  if (rest !== "") yield rest
}
