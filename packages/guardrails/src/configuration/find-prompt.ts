import type { GuardrailModel, GuardrailPrompt } from "@assay/schemas"
import type { EffectiveData } from "./effective-data.ts"
import { withoutQuotes, type JudgeFlow } from "./parse-flow.ts"

/** Returns the task of a flow's prompt, without `$model=`. */
export function taskOf({ kind, direction }: JudgeFlow): string {
  return `${kind.replaceAll(" ", "_")}_${direction}`
}

/** Returns the task of a prompt in one spelling, independent of its spaces and quotes. */
export function plainTask(task: string): string {
  return withoutQuotes(task.trim().replaceAll(/\s+/g, " "))
}

/**
 * Returns the configuration's prompt for a flow: one for this model type, or else one for every type. If there are several,
 * `models` decides, then the `prompting_mode` of the configuration. If they still match equally, the last one counts.
 */
export function findPrompt(
  { prompts = [], prompting_mode, models }: Pick<EffectiveData, "prompts" | "prompting_mode" | "models">,
  flow: JudgeFlow,
  modelType: string,
): GuardrailPrompt | null {
  const task = taskOf(flow)
  const model = models.find(({ type }) => type === modelType)
  const named = (wanted: string) =>
    best(
      prompts.filter((prompt) => plainTask(prompt.task) === wanted),
      (prompt) => modeFit(prompt, prompting_mode ?? STANDARD_MODE) * modelFit(prompt, model),
    )
  return named(`${task} $model=${modelType}`) ?? named(task) ?? null
}

const STANDARD_MODE = "standard"

/** Returns the last of the best matching prompts, or undefined if none matches. */
function best(
  prompts: readonly GuardrailPrompt[],
  fitOf: (prompt: GuardrailPrompt) => number,
): GuardrailPrompt | undefined {
  const most = Math.max(0, ...prompts.map(fitOf))
  return most === 0 ? undefined : prompts.findLast((prompt) => fitOf(prompt) === most)
}

/** Rates the mode of a prompt: a prompt of the standard mode serves every mode, one of another mode only its own. */
function modeFit({ mode }: GuardrailPrompt, wanted: string): number {
  const own = mode ?? STANDARD_MODE
  if (own === wanted) return 2
  return own === STANDARD_MODE ? 1 : 0
}

/**
 * Rates how well a prompt's `models` name a model: as engine and model, as model, or as engine. A prompt without `models` gets
 * less.
 */
function modelFit({ models }: GuardrailPrompt, model: GuardrailModel | undefined): number {
  if (models === undefined || models === null || models.length === 0) return 1
  const { engine = "", model: name = "" } = model ?? {}
  if (models.includes(`${engine}/${name}`)) return 20
  if (name !== "" && models.includes(name)) return 15
  return models.includes(engine) ? 10 : 0
}
