import type { ApiEndpoint, EvaluationSample } from "@assay/schemas"
import { openResponseCache, responseKey } from "../../engine/response-cache.ts"
import {
  type Ask,
  askPromptTokens,
  callLimits,
  compileLikelihoodTemplate,
  type Continuation,
  defineMetrics,
  isTextEndpoint,
  likeliest,
  likelihoodParameters,
  type LikelihoodTemplate,
  type LikelihoodType,
  type RowTexts,
  runParams,
  type RunParams,
  taskMetrics,
  TEXT_FORMAT,
  textLikelihood,
} from "@assay/scoring"
import { targetEndpoint, targetReasoning } from "../asking-shape.ts"
import { openTaskRows, taskRows } from "../task-rows.ts"
import type { PlanContext, TaskShape, TaskToShape } from "../task-shape.ts"

/** Shapes a task of the type `loglikelihood` or `multiple-choice`. Its target has to be an endpoint that takes texts. */
export function shapeLikelihood(type: LikelihoodType, toShape: TaskToShape): TaskShape | undefined {
  const { config, name, task, issues } = toShape
  const run = runParams(config.params, task.params)
  const metrics = defineMetrics({ name, issues, metrics: taskMetrics(config, task), run })
  const template = issues.attempt(() =>
    compileLikelihoodTemplate(type, task.params?.template, `tasks.${name}.params.template`),
  )
  const rows = issues.attempt(() => taskRows(toShape))
  const endpoint = issues.attempt(() => ({ found: targetEndpoint(toShape.target) }))?.found
  if (endpoint === undefined || !isTextEndpoint(endpoint)) {
    issues.add(
      `tasks.${name}.type: '${type}' needs the log-probabilities of a text, which only a model at /completions has; write \`format: completions\` in target.model.api_endpoint.`,
    )
    return undefined
  }
  if (issues.attempt(() => ({ marks: targetReasoning(toShape.target) }))?.marks !== undefined) {
    issues.add(`target.model: removes reasoning, and '${type}' asks for no text; leave that setting out.`)
  }
  if (template === undefined || rows === undefined) return undefined
  const asked: AskedTexts = { endpoint, template, run }
  return {
    name,
    run,
    rows,
    otherDatasets: [],
    asked: {
      endpoint,
      // The texts are counted as messages by estimates.
      render: (item, steps) => ({
        messages: promptsOf(template.render(item, steps)).map((content) => ({ role: "user", content })),
        parameters: requestParameters(run),
      }),
    },
    readsLogprobs: type === "multiple-choice" ? "several" : "one",
    fields: [...template.fields, ...metrics.flatMap(({ fields }) => fields)],
    metrics,
    endpoints: [endpoint, ...metrics.flatMap(({ endpoints }) => endpoints)],
    openRows: (context) => openTaskRows(rows, run, context),
    openAsk: (context) => openLikelihoods(asked, context),
    renderRequests: (item, { steps }) => {
      const { model_id: model } = endpoint
      const [first = "", ...others] = promptsOf(template.render(item, steps))
      const prompt = others.length === 0 ? first : [first, ...others]
      return [{ to: model, body: { ...requestParameters(run), model, prompt } }]
    },
  }
}

interface AskedTexts {
  readonly endpoint: ApiEndpoint
  readonly template: LikelihoodTemplate
  readonly run: RunParams
}

function requestParameters({ inference }: RunParams): Readonly<Record<string, unknown>> {
  return likelihoodParameters(inference)
}

function promptsOf({ continuations }: RowTexts): readonly string[] {
  return continuations.map(({ context, text }: Continuation) => context + text)
}

/** Opens the source of samples: all texts of a row are asked in one request. */
async function openLikelihoods(
  { endpoint, template, run }: AskedTexts,
  { models, environment, onClose }: PlanContext,
): Promise<Ask> {
  const model = await models.open(endpoint)
  const folder = run.isCached ? environment.responseCacheFolder : undefined
  const cache = folder === undefined ? undefined : openResponseCache(folder)
  if (cache !== undefined) onClose(() => cache.close())
  const limits = callLimits(run)
  return {
    kind: "call",
    async call(item, { repeat, signal, onRetry }) {
      const row = template.render(item)
      const { url, model_id } = endpoint
      const body = { ...row, parameters: run.inference, format: TEXT_FORMAT }
      const key = cache === undefined ? "" : responseKey({ baseUrl: url, model: model_id, body, repeat })
      const known = await cache?.read(key)
      if (known !== undefined) return known as EvaluationSample
      const request = { prompts: promptsOf(row), parameters: run.inference }
      const { prompts, answer } = await askPromptTokens(model, request, { signal, onRetry, ...limits })
      const texts = row.continuations.map((one, at) => textLikelihood(one, prompts[at] ?? []))
      const sample: EvaluationSample = {
        // The whole answer has the same numbers for each token of each prompt.
        response: { object: "loglikelihoods", texts, choices: row.choices, answer: row.answer },
        // The model wrote nothing. The likeliest choice is its answer.
        output_text: row.choices[likeliest(texts.map(({ logprob }) => logprob))] ?? row.continuations[0]?.text ?? null,
        usage: answer.usage,
        latency_ms: answer.latencyMs,
        finish_reason: null,
      }
      cache?.write(key, sample)
      return sample
    },
  }
}
