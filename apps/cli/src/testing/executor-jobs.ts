import { setTimeout as sleep } from "node:timers/promises"
import { fileURLToPath } from "node:url"
import { type LoopbackServer, startLoopbackServer } from "@assay/testkit"

const MAIN = fileURLToPath(new URL("../../dist/bundle/main.js", import.meta.url))
/** The words that start the built program: from its sources, each of its processes would take seconds to start. */
export const PROGRAM: readonly string[] = [process.execPath, MAIN]
export const MODEL_KEY = "sk-executor-1"
export const JOBS = "/v1/evaluation/jobs"

/** A model that repeats what it is asked, and needs a key. */
export interface HeldModel extends LoopbackServer {
  /** How often each text was asked. */
  readonly asked: ReadonlyMap<string, number>
  /** Returns whether the answer to a text waits. Answers that wait are sent when it is replaced. */
  isHeld: (text: string) => boolean
  /** Returns whether a text is refused. */
  isRefused: (text: string) => boolean
}

export async function startHeldModel(): Promise<HeldModel> {
  const asked = new Map<string, number>()
  const state = { isHeld: (_text: string) => false, isRefused: (_text: string) => false }
  const server = await startLoopbackServer(async ({ body, headers }, response) => {
    const { model, messages } = JSON.parse(body.toString()) as { model: string; messages: { content: string }[] }
    const content = messages.at(-1)?.content ?? ""
    asked.set(content, (asked.get(content) ?? 0) + 1)
    while (state.isHeld(content) && !response.destroyed) await sleep(20)
    const isKnown = headers["authorization"] === `Bearer ${MODEL_KEY}`
    const status = !isKnown ? 401 : state.isRefused(content) ? 400 : 200
    const choices = [{ index: 0, message: { role: "assistant", content }, finish_reason: "stop" }]
    const usage = { prompt_tokens: 2, completion_tokens: 2, total_tokens: 4 }
    const answer = { id: "answer", object: "chat.completion", model, choices, usage }
    response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(answer))
  })
  return Object.assign(state, { ...server, asked })
}

/** Calls of the HTTP API of a server about jobs that ask a model about words. */
export interface JobCalls {
  // oxlint-disable-next-line typescript/no-explicit-any -- tests read any field of a response and then assert on it
  call(method: string, path: string, body?: unknown): Promise<any>
  /** Stores the words and the key of the model. */
  prepare(): Promise<void>
  /** Launches a job with these parameters. Returns its record, or the error. */
  launch(params: object, endpoint?: object): ReturnType<JobCalls["call"]>
  /** Waits until a job has ended, and returns it. */
  endOf(id: string): ReturnType<JobCalls["call"]>
}

export function callJobs({ url }: { readonly url: string }, model: HeldModel): JobCalls {
  const call: JobCalls["call"] = async (method, path, body) => {
    const isText = typeof body === "string"
    const response = await fetch(`${url}${path}`, {
      method,
      ...(body === undefined ? {} : { body: isText ? body : JSON.stringify(body) }),
      headers: body === undefined || isText ? {} : { "content-type": "application/json" },
    })
    const text = await response.text()
    return response.headers.get("content-type")?.includes("json") === true ? JSON.parse(text) : text
  }
  const task = {
    type: "chat-completion",
    params: { template: { messages: [{ role: "user", content: "{{ item.said }}" }] } },
    dataset: { files_url: "assay://datasets/default/words/rows.csv" },
    metrics: {
      same: { type: "string-check", params: { check: ["{{ sample.output_text }}", "equals", "{{ item.label }}"] } },
    },
  }
  return {
    call,
    async prepare() {
      await call("POST", "/apis/files/v2/workspaces/default/filesets", { name: "words" })
      const rows = Array.from({ length: 12 }, (_, row) => `word ${row},${row % 3 === 0 ? "other" : `word ${row}`}`)
      const text = ["said,label", ...rows, ""].join("\n")
      await call("PUT", "/apis/files/v2/workspaces/default/filesets/words/-/rows.csv", text)
      await call("POST", "/apis/secrets/v2/workspaces/default/secrets", { name: "model-key", value: MODEL_KEY })
    },
    launch(params, endpoint = { api_key_secret: "model-key" }) {
      const target = {
        type: "model",
        model: { api_endpoint: { url: `${model.url}/v1`, model_id: "echo", ...endpoint } },
      }
      const config = { type: "custom", params: { parallelism: 4, max_retries: 0, ...params }, tasks: { words: task } }
      return call("POST", `${JOBS}?skip_validation_checks=1`, { target, config })
    },
    async endOf(id) {
      for (;;) {
        const job = await call("GET", `${JOBS}/${id}`)
        if (/^(completed|failed|cancelled)$/i.test(job.status)) return job
        await sleep(50)
      }
    },
  }
}
