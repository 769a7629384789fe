import type { CallOptions } from "@assay/inference"
import type { EvaluationSample } from "@assay/schemas"
import type { StepBudget } from "@assay/templates"
import type { OpenedModel } from "../models/model-pool.ts"
import type { SourceRow } from "../rows/source-row.ts"
import type { FieldRead } from "../templates/row-template.ts"
import { askPromptTokens, likelihoodParameters } from "./ask-prompt-tokens.ts"
import { compileLikelihoodTemplate, type LikelihoodType, type RowTexts } from "./likelihood-template.ts"
import { likeliest, textLikelihood } from "./text-likelihood.ts"

/** The request about the texts of a row. */
export interface LikelihoodRequest {
  readonly texts: RowTexts
  /** Each text after its context. */
  readonly prompts: readonly string[]
  /** Parameters of the first request. */
  readonly parameters: Readonly<Record<string, unknown>>
}

/** A task that scores how likely texts are. */
export interface LikelihoodTask {
  /** Fields that its rows must have. */
  readonly fields: readonly FieldRead[]
  /** @throws `template_error`, `rows_invalid` */
  readonly render: (item: SourceRow["item"], steps?: StepBudget) => LikelihoodRequest
  /** Asks for all texts of a row in one request. @throws the errors of `askPromptTokens` */
  readonly ask: (model: OpenedModel, request: LikelihoodRequest, options: CallOptions) => Promise<EvaluationSample>
}

interface LikelihoodSource {
  readonly type: LikelihoodType
  /** The template of the task. */
  readonly template: unknown
  /** The location of the template, for messages. */
  readonly name: string
  /** Parameters of each request. */
  readonly parameters: Readonly<Record<string, unknown>>
}

/** Compiles a task that scores texts. @throws `template_error`, `invalid_request` for an unknown part of the template */
function compileLikelihoodTask({ type, template, name, parameters }: LikelihoodSource): LikelihoodTask {
  const compiled = compileLikelihoodTemplate(type, template, name)
  return {
    fields: compiled.fields,
    render(item, steps) {
      const texts = compiled.render(item, steps)
      const prompts = texts.continuations.map(({ context, text }) => context + text)
      return { texts, prompts, parameters: likelihoodParameters(parameters) }
    },
    async ask(model, { texts: { continuations, choices, answer }, prompts }, options) {
      const asked = await askPromptTokens(model, { prompts, parameters }, options)
      const texts = continuations.map((one, at) => textLikelihood(one, asked.prompts[at] ?? []))
      return {
        // The whole answer has the same numbers for each token of each prompt.
        response: { object: "loglikelihoods", texts, choices, answer },
        // The model wrote nothing. The likeliest choice is its answer.
        output_text: choices[likeliest(texts.map(({ logprob }) => logprob))] ?? continuations[0]?.text ?? null,
        usage: asked.answer.usage,
        latency_ms: asked.answer.latencyMs,
        finish_reason: null,
      }
    },
  }
}

/** Scores of how likely texts are: a task, and the request that shows whether an endpoint can do it. */
export const likelihood = Object.freeze({ compileTask: compileLikelihoodTask, askPromptTokens })
