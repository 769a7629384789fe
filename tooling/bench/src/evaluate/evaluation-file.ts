import { writeFile } from "node:fs/promises"
import type { EvaluationConfigBody, EvaluationTargetBody } from "@assay/schemas"

/** Returns a configuration that asks a question per row and looks for a word in the answer. */
export function askingConfig(filesUrl: string, rows: number, parallelism: number): EvaluationConfigBody {
  return {
    type: "custom",
    params: { limit_samples: rows, parallelism },
    tasks: {
      capitals: {
        type: "chat-completion",
        dataset: { files_url: filesUrl },
        params: { template: { messages: [{ role: "user", content: "{{ item.question }}" }] } },
        metrics: {
          right: { type: "string-check", params: { check: ["{{ sample.output_text }}", "contains", "Paris"] } },
        },
      },
    },
  }
}

/** Returns a configuration that scores existing outputs. */
export function scoringConfig(): EvaluationConfigBody {
  const reference = { ground_truth: "{{ item.reference }}" }
  return {
    type: "custom",
    tasks: {
      scored: {
        type: "data",
        metrics: { exact: { type: "em", params: reference }, f1: { type: "f1", params: reference } },
      },
    },
  }
}

export function modelAt(url: string): EvaluationTargetBody {
  return { type: "model", model: { api_endpoint: { url: `${url}/v1`, model_id: "chat" } } }
}

/** Writes a file for `assay eval run`. */
export async function writeEvaluation(
  file: string,
  evaluation: { readonly target: EvaluationTargetBody; readonly config: EvaluationConfigBody },
): Promise<void> {
  await writeFile(file, JSON.stringify(evaluation))
}
