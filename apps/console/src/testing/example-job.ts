import type { LaunchBody } from "@assay/schemas"

/** The rows of the dataset that example jobs read: a third of them has an answer that is wrong. */
export const EXAMPLE_ROWS = Array.from({ length: 60 }, (_, index) => ({
  id: index,
  question: `Say the word ${["one", "two", "three"][index % 3]} now`,
  answer: ["one", "two", "nothing"][index % 3],
}))

export interface ExampleJob {
  readonly description: string
  readonly prompt: string
  /** The endpoint, which repeats the prompt. */
  readonly url: string
}

/** Returns a job with a slice and three gates, one of which fails. */
export function exampleJob({ description, prompt, url }: ExampleJob): LaunchBody {
  return {
    namespace: "runs",
    description,
    target: { type: "model", model: { api_endpoint: { url, model_id: "echo" } } },
    config: {
      type: "custom",
      params: {
        slices: ["answer"],
        gates: [
          { task: "answers", metric: "contains", op: ">=", value: 0.3 },
          { task: "answers", metric: "contains", op: "<=", value: 0.5 },
          { task: "answers", metric: "contains", op: ">=", value: 0.6, on_these_rows: true },
        ],
      },
      tasks: {
        answers: {
          type: "chat-completion",
          params: { template: { messages: [{ role: "user", content: prompt }] } },
          dataset: { files_url: "assay://datasets/runs/questions/rows.jsonl" },
          metrics: {
            contains: {
              type: "string-check",
              params: { check: ["{{ sample.output_text }}", "contains", "{{ item.answer }}"] },
            },
          },
        },
      },
    },
  }
}
