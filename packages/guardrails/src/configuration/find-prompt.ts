import type { GuardrailPrompt } from "@assay/schemas"
import type { JudgeFlow } from "./parse-flow.ts"

/** The task under which a flow's prompt is written, without `$model=`. */
export function taskOf({ kind, place }: JudgeFlow): string {
  return `${kind.replaceAll(" ", "_")}_${place}`
}

/** The configuration's prompt for a flow: the one for this model, else the one for every model. */
export function findPrompt(
  prompts: readonly GuardrailPrompt[],
  flow: JudgeFlow,
  modelType: string,
): GuardrailPrompt | null {
  const task = taskOf(flow)
  const named = (wanted: string) => prompts.find((prompt) => prompt.task.trim().replaceAll(/\s+/g, " ") === wanted)
  return named(`${task} $model=${modelType}`) ?? named(task) ?? null
}
