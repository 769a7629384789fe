import type { LabelledPrompt } from "@assay/guardrails"

/** Yields prompts; every other one is labelled safe. */
export async function* labelledPrompts(count: number): AsyncGenerator<LabelledPrompt> {
  for (let index = 0; index < count; index += 1) {
    yield { prompt: `How do I kill the process ${index}?`, label: index % 2 === 0 ? "safe" : "unsafe" }
  }
}
