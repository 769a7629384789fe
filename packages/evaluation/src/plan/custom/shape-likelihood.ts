import type { ApiEndpoint, EvaluationSample } from "@assay/schemas"
import {
  likelihood,
  defineMetrics,
  isTextEndpoint,
  runParams,
  type RunParams,
  type METRIC_TASKS,
  taskMetrics,
} from "@assay/scoring"
import { openResponseCache, responseKey } from "../../engine/response-cache.ts"
import type { Ask } from "../ask.ts"
import { targetEndpoint, targetReasoning } from "../asking-shape.ts"
import { openTaskRows, taskRows } from "../task-rows.ts"
import type { PlanContext, TaskShape, TaskToShape } from "../task-shape.ts"

/** Shapes a task of the type `loglikelihood` or `multiple-choice`. Its target has to be an endpoint that takes texts. */
export function shapeLikelihood(
  type: (typeof METRIC_TASKS.likelihood)[number],
  toShape: TaskToShape,
): TaskShape | undefined {
  const { config, name, task, issues } = toShape
  const run = runParams(config.params, task.params)
  const metrics = defineMetrics({ name, issues, metrics: taskMetrics(config, task), run })
  const texts = issues.attempt(() =>
    likelihood.compileTask({
      type,
      template: task.params?.template,
      name: `tasks.${name}.params.template`,
      parameters: run.inference,
    }),
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
  if (texts === undefined || rows === undefined) return undefined
  return {
    name,
    run,
    rows,
    otherDatasets: [],
    asked: {
      endpoint,
      // The texts are counted as messages by estimates.
      render(item, steps) {
        const { prompts, parameters } = texts.render(item, steps)
        return { messages: prompts.map((content) => ({ role: "user", content })), parameters }
      },
    },
    readsLogprobs: type === "multiple-choice" ? "several" : "one",
    fields: [...texts.fields, ...metrics.flatMap(({ fields }) => fields)],
    metrics,
    endpoints: [endpoint, ...metrics.flatMap(({ endpoints }) => endpoints)],
    openRows: (context) => openTaskRows(rows, run, context),
    openAsk: (context) => openLikelihoods({ endpoint, texts, run }, context),
    renderRequests(item, { steps }) {
      const { model_id: model } = endpoint
      const { prompts, parameters } = texts.render(item, steps)
      const [first = "", ...others] = prompts
      const prompt = others.length === 0 ? first : prompts
      return [{ to: model, body: { ...parameters, model, prompt } }]
    },
  }
}

interface AskedTexts {
  readonly endpoint: ApiEndpoint
  readonly texts: ReturnType<typeof likelihood.compileTask>
  readonly run: RunParams
}

/** Opens the source of samples: all texts of a row are asked in one request. */
async function openLikelihoods(
  { endpoint, texts, run }: AskedTexts,
  { models, environment, onClose }: PlanContext,
): Promise<Ask> {
  const model = await models.open(endpoint)
  const folder = run.isCached ? environment.responseCacheFolder : undefined
  const cache = folder === undefined ? undefined : openResponseCache(folder)
  if (cache !== undefined) onClose(() => cache.close())
  return {
    kind: "call",
    async call(item, { repeat, signal, onRetry }) {
      const request = texts.render(item)
      const { url, model_id } = endpoint
      const body = { ...request.texts, parameters: run.inference, format: endpoint.format }
      const key = cache === undefined ? "" : responseKey({ baseUrl: url, model: model_id, body, repeat })
      const known = await cache?.read(key)
      if (known !== undefined) return known as EvaluationSample
      const sample = await texts.ask(model, request, { signal, onRetry, ...run.callLimits })
      cache?.write(key, sample)
      return sample
    },
  }
}
