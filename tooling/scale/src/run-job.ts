import { setTimeout as sleep } from "node:timers/promises"

export interface JobToRun {
  readonly rows: number
  readonly parallelism: number
  readonly shardRows: number
  /** The URL of the endpoint. */
  readonly endpoint: string
}

/** The parts of a job that a run looks at. */
export interface JobState {
  readonly status: string
  readonly status_details: { readonly message: string; readonly samples_processed?: number }
}

const FILES = "/apis/files/v2/workspaces/default/filesets"
const JOBS = "/v1/evaluation/jobs"

/** Uploads the rows, and launches a job that asks the endpoint about each of them. Returns the id of the job. */
export async function launchJob(url: string, { rows, parallelism, shardRows, endpoint }: JobToRun): Promise<string> {
  const name = `rows-${rows}`
  await call(`${url}${FILES}`, "POST", { name })
  const lines = Array.from({ length: rows }, (_, row) => JSON.stringify({ row, question: `About row ${row}?` }))
  await call(`${url}${FILES}/${name}/-/rows.jsonl`, "PUT", `${lines.join("\n")}\n`)
  const check = ["{{sample.output_text}}", "equals", "right"]
  const task = {
    type: "chat-completion",
    params: { template: { messages: [{ role: "user", content: "{{item.question}}" }] } },
    dataset: { files_url: `hf://datasets/default/${name}/rows.jsonl` },
    metrics: { right: { type: "string-check", params: { check } } },
  }
  const target = { type: "model", model: { api_endpoint: { url: endpoint, model_id: "scale" } } }
  const config = { type: "custom", params: { parallelism, shard_rows: shardRows }, tasks: { qa: task } }
  const { id } = (await call(`${url}${JOBS}?skip_validation_checks=1`, "POST", { target, config })) as { id: string }
  return id
}

export async function getJob(url: string, id: string): Promise<JobState> {
  return (await call(`${url}${JOBS}/${id}`, "GET")) as JobState
}

/** Waits until the job has ended. */
export async function untilEnded(url: string, id: string): Promise<JobState> {
  for (;;) {
    const job = await getJob(url, id)
    if (["COMPLETED", "FAILED", "CANCELLED"].includes(job.status)) return job
    await sleep(200)
  }
}

/** The rows and the mean score of a job that has ended. */
export interface JobOutput {
  /** The numbers of the last rows, as the API for rows lists them, and the number of all rows there. */
  readonly listed: { readonly last: readonly number[]; readonly total: number }
  /** The lines of `results/rows.jsonl`. */
  readonly lines: readonly string[]
  /** `stats` of the score, as the server computed it. */
  readonly stats: { readonly count: number; readonly mean: number }
}

export async function readOutput(url: string, id: string): Promise<JobOutput> {
  const file = await fetch(`${url}${FILES}/evaluation-${id}/-/results/rows.jsonl`)
  const lines = (await file.text()).trimEnd().split("\n")
  const { tasks } = (await call(`${url}${JOBS}/${id}/results`, "GET")) as {
    tasks: { qa: { metrics: { right: { scores: Record<string, { stats: JobOutput["stats"] }> } } } }
  }
  const [score] = Object.values(tasks.qa.metrics.right.scores)
  if (score === undefined) throw new Error("The results have no score.")
  const offset = Math.max(0, score.stats.count - 3)
  const page = (await call(`${url}${JOBS}/${id}/rows?offset=${offset}`, "GET")) as {
    readonly data: readonly { readonly row_index: number }[]
    readonly total: number
  }
  const listed = { last: page.data.map((row) => row.row_index), total: page.total }
  return { lines, stats: score.stats, listed }
}

async function call(url: string, method: string, body?: object | string): Promise<unknown> {
  const isJson = typeof body === "object"
  const response = await fetch(url, {
    method,
    ...(body === undefined ? {} : { body: isJson ? JSON.stringify(body) : body }),
    headers: { "content-type": isJson ? "application/json" : "application/octet-stream" },
  })
  const text = await response.text()
  if (!response.ok && response.status !== 409) throw new Error(`${method} ${url} returned ${response.status}: ${text}`)
  return text === "" ? undefined : JSON.parse(text)
}
