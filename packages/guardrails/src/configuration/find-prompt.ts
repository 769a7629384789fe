import type { GuardrailModel, GuardrailPrompt } from "@assay/schemas"
import type { EffectiveData } from "./effective-data.ts"
import { withoutQuotes, type JudgeFlow } from "./parse-flow.ts"

/** The task under which a flow's prompt is written, without `$model=`. */
export function taskOf({ kind, place }: JudgeFlow): string {
  return `${kind.replaceAll(" ", "_")}_${place}`
}

/** The task of a prompt in one spelling, whatever blanks and quotes it is written with. */
export function plainTask(task: string): string {
  return withoutQuotes(task.trim().replaceAll(/\s+/g, " "))
}

/**
 * The configuration's prompt for a flow: one for this model type, else one for every type. Of several, the one whose `models` fit
 * the model best, then the one of the configuration's `prompting_mode`; the last of those that fit alike.
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

/** The last of the prompts that fit best; undefined if none fits at all. */
function best(
  prompts: readonly GuardrailPrompt[],
  fitOf: (prompt: GuardrailPrompt) => number,
): GuardrailPrompt | undefined {
  const most = Math.max(0, ...prompts.map(fitOf))
  return most === 0 ? undefined : prompts.findLast((prompt) => fitOf(prompt) === most)
}

/** A prompt of the standard mode serves every mode, and one of another mode serves only its own. */
function modeFit({ mode }: GuardrailPrompt, wanted: string): number {
  const own = mode ?? STANDARD_MODE
  if (own === wanted) return 2
  return own === STANDARD_MODE ? 1 : 0
}

/** How well a prompt's `models` name a model: as engine and model, as model, as engine; less so where it names none. */
function modelFit({ models }: GuardrailPrompt, model: GuardrailModel | undefined): number {
  if (models === undefined || models === null || models.length === 0) return 1
  const { engine = "", model: name = "" } = model ?? {}
  if (models.includes(`${engine}/${name}`)) return 20
  if (name !== "" && models.includes(name)) return 15
  return models.includes(engine) ? 10 : 0
}
