import { setTimeout } from "node:timers/promises"
import type { FakeInference } from "@assay/testkit"
import { FILES, send } from "./start-test-server.ts"

export const JOBS = "/v1/evaluation/jobs"

/** Writes `count` questions to the fileset `default/questions`, and launches a job that asks the fake model about them. */
export async function launchQuestions(
  url: string,
  { fake, count, params = {} }: { readonly fake: FakeInference; readonly count: number; readonly params?: object },
): Promise<string> {
  await send(url, "POST", `${FILES}/default/filesets`, { json: { name: "questions" } })
  const rows = Array.from({ length: count }, (_, index) => JSON.stringify({ question: `question ${index}` }))
  await send(url, "PUT", `${FILES}/default/filesets/questions/-/rows.jsonl`, { body: rows.join("\n") })
  const task = {
    type: "chat-completion",
    params: { template: { messages: [{ role: "user", content: "{{item.question}}" }] } },
    dataset: { files_url: "hf://datasets/default/questions/rows.jsonl" },
    metrics: {
      echoed: { type: "string-check", params: { check: ["{{sample.output_text}}", "contains", "{{item.question}}"] } },
    },
  }
  const target = { type: "model", model: { api_endpoint: { url: `${fake.url}/v1`, model_id: "echo" } } }
  const config = { type: "custom", params: { parallelism: 2, ...params }, tasks: { qa: task } }
  const { status, json, text } = await send(url, "POST", `${JOBS}?skip_validation_checks=1`, {
    json: { target, config },
  })
  if (status !== 201) throw new Error(`The launch returned ${status}: ${text}`)
  return json.id as string
}

/** Waits until the job has one of these statuses, and returns it. */
export async function untilJob(url: string, id: string, statuses: readonly string[]) {
  for (;;) {
    const { json } = await send(url, "GET", `${JOBS}/${id}`)
    if (statuses.includes(json.status)) return json
    await setTimeout(20)
  }
}

/** Returns the prompts that the fake received, in order. */
export function askedQuestions({ requests }: FakeInference): string[] {
  return requests.flatMap(({ chat }) => (chat === undefined ? [] : [String(chat.messages.at(-1)?.content)]))
}
