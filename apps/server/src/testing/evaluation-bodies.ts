import type { TestServer } from "./start-test-server.ts"

export const EVALUATION = "/v1/evaluation"

/** Rows with outputs and expected values, so that no model is asked. */
export const GIVEN = {
  type: "rows" as const,
  rows: [
    { answer: "yes", expected: "yes" },
    { answer: "no", expected: "yes" },
  ],
}

/** Compares the outputs with the expected values. */
export const CHECK = {
  type: "custom" as const,
  tasks: {
    qa: {
      type: "data",
      metrics: {
        accuracy: { type: "string-check", params: { check: ["{{ item.answer }}", "equals", "{{ item.expected }}"] } },
      },
    },
  },
}

/** Asks a model to repeat each word of a dataset. */
export function askConfig(filesUrl: string) {
  return {
    type: "custom",
    // No retries, so that tests see failures at once.
    params: { max_retries: 0 },
    tasks: {
      qa: {
        type: "chat-completion",
        params: { template: { messages: [{ role: "user", content: "{{ item.word }}" }] } },
        dataset: { files_url: filesUrl },
        metrics: {
          same: { type: "string-check", params: { check: ["{{ sample.output_text }}", "equals", "{{ item.word }}"] } },
        },
      },
    },
  }
}

/** Returns a target: a model at an endpoint. */
export function modelTarget(url: string, more: object = {}) {
  return { type: "model", model: { api_endpoint: { url: `${url}/v1/chat/completions`, model_id: "echo", ...more } } }
}

const FINAL = /^(completed|failed|cancelled)$/i

/** Waits until a job has ended, and returns it. */
export async function endOf(server: TestServer, id: string, headers: Readonly<Record<string, string>> = {}) {
  for (;;) {
    const { json } = await server.call("GET", `${EVALUATION}/jobs/${id}`, { headers })
    if (FINAL.test(json.status)) return json
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}
