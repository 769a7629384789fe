import { type ApiEndpoint, type EvaluationTargetBody, invalidRequest } from "@assay/schemas"
import {
  compileRequestTemplate,
  defineMetrics,
  givenOutput,
  isTextEndpoint,
  METRIC_TASKS,
  type MetricDefinition,
  modelRequest,
  markedReasoning,
  type RequestTemplate,
  rowRequest,
  runParams,
  type RunParams,
  taskMetrics,
} from "@assay/scoring"
import { openAsk, type ReasoningMarks, renderRequest } from "./ask-model.ts"
import { openTaskRows, taskRows } from "./task-rows.ts"
import type { ShapeTask, TaskShape, TaskToShape } from "./task-shape.ts"

export interface AskingShape {
  readonly run: RunParams
  readonly metrics: readonly MetricDefinition[]
  /** Undefined: the request is in the row, under one of `keys`. */
  readonly request: RequestTemplate | undefined
  readonly keys: readonly string[]
  /** Whether rows are scored without calls, also if the target is a model. Default false. */
  readonly isData?: boolean | undefined
}

/** Returns the shape of a task whose target is a model that is called for each row, or rows that have outputs already. */
export function askingShape(
  toShape: TaskToShape,
  { run, metrics, request, keys: allKeys, isData = false }: AskingShape,
): TaskShape | undefined {
  const { name, issues } = toShape
  const target = issues.attempt(() => ({ endpoint: targetEndpoint(toShape.target) }))
  const rows = issues.attempt(() => taskRows(toShape))
  const settings = issues.attempt(() => ({ marks: targetReasoning(toShape.target) }))
  const output = issues.attempt(() => ({ given: outputOf(toShape) }))
  if (target === undefined || rows === undefined || settings === undefined || output === undefined) return undefined
  const endpoint = isData ? undefined : target.endpoint
  const { given } = output
  if (endpoint !== undefined && given !== undefined) {
    issues.add(`tasks.${name}.output: has no effect, because the model of the target is asked; write \`type: data\`.`)
  }
  const reasoning = settings.marks
  const isText = endpoint !== undefined && isTextEndpoint(endpoint)
  if (isText) checkTextTask(toShape, request)
  const keys = isText ? allKeys.filter((key) => key !== "messages") : allKeys
  const template = request ?? rowRequest(keys)
  // A template with a fault, which is an issue already, is not a missing one.
  const hasTemplate = (toShape.task.params?.template ?? null) !== null
  const ofRow: TaskShape["fields"] = hasTemplate ? [] : [{ anyOf: keys, by: `task '${name}'`, isAsked: true }]
  const asked = request?.fields ?? ofRow
  return {
    name,
    run,
    rows,
    otherDatasets: [],
    asked:
      endpoint === undefined
        ? undefined
        : { endpoint, render: (item, steps) => renderRequest({ request: template, params: run }, item, steps) },
    fields: [
      ...(endpoint === undefined ? (given?.fields ?? outputFields(name, metrics)) : asked),
      ...metrics.flatMap(({ fields }) => fields),
    ],
    metrics,
    endpoints: [...(endpoint === undefined ? [] : [endpoint]), ...metrics.flatMap(({ endpoints }) => endpoints)],
    openRows: (context) => openTaskRows(rows, run, context),
    openAsk: (context) => openAsk({ endpoint, given: given?.sampleOf, request: template, run, reasoning }, context),
    ...(given === undefined ? {} : { given: given.sampleOf }),
    ...(endpoint === undefined
      ? {}
      : {
          renderRequests: (item, { steps }) => [
            modelRequest(endpoint, renderRequest({ request: template, params: run }, item, steps)),
          ],
        }),
  }
}

function outputOf({ name, task: { output } }: TaskToShape) {
  return output === undefined ? undefined : givenOutput.compile(output, `tasks.${name}.output`)
}

/** Returns the fields that rows must have whose output is under one of the usual names. */
function outputFields(name: string, metrics: readonly MetricDefinition[]): TaskShape["fields"] {
  const isRead = metrics.some(({ readsOutput }) => readsOutput)
  return isRead ? [{ anyOf: ["response", "output"], by: `task '${name}'` }] : []
}

/** Reports what an endpoint for texts can't be asked. */
function checkTextTask({ name, task, issues }: TaskToShape, request: RequestTemplate | undefined): void {
  const rule = "the endpoint of the target has the format 'completions', which takes a text and knows no messages"
  if (request?.isChat === true) {
    issues.add(
      `tasks.${name}.params.template: is a chat, and ${rule}; write {prompt: "…"}, or leave out 'format' to send chats.`,
    )
  }
  if (task.type === "chat-completion") {
    issues.add(`tasks.${name}.type: is 'chat-completion', and ${rule}; write 'completion', or leave out 'format'.`)
  }
}

/** Compiles the template of a task's requests. Returns undefined if there is none, or if it is an issue. */
export function taskRequest({
  name,
  task,
  issues,
}: Pick<TaskToShape, "name" | "task" | "issues">): RequestTemplate | undefined {
  const source = task.params?.template
  if (source === undefined || source === null) return undefined
  const request = issues.attempt(() => compileRequestTemplate(source, `tasks.${name}.params.template`))
  for (const { name: location, template } of request?.templates ?? []) {
    const early = template.reads.find(({ path: [first], isOptional }) => first === "sample" && !isOptional)
    if (early === undefined) continue
    const rule = "the sample exists only after the model has answered; read 'item' instead"
    issues.add(
      `The template '${location}' reads '${early.path.join(".")}' (line ${early.line}): ${rule}.`,
      "template_error",
    )
  }
  return request
}

/** Returns the endpoint of a target that is a model; undefined for any other target. @throws `invalid_request` for a model without an endpoint */
export function targetEndpoint({ type, model }: EvaluationTargetBody): ApiEndpoint | undefined {
  if (type !== "model") return undefined
  if (model?.api_endpoint !== undefined) return model.api_endpoint
  const rule = 'is missing; write {"api_endpoint": {"url": "https://host/v1", "model_id": "…"}}.'
  throw invalidRequest(["target", "model"], rule, "missing")
}

/** Returns how the reasoning of a target is removed. @throws `invalid_request` for settings that can't be obeyed */
export function targetReasoning({ type, model }: EvaluationTargetBody): ReasoningMarks | undefined {
  return type === "model" ? markedReasoning.readSettings(model, "target.model") : undefined
}

/**
 * Shapes a task of an `agentic` configuration. Its type is its metric, and its parameters (`judge`, `metric_mode`, …) are those of
 * the metric. They are also defaults of the other metrics of the task.
 */
export const shapeAgentic: ShapeTask = (toShape) => {
  const { config, name, task, issues } = toShape
  const { type = "" } = task
  if (!METRIC_TASKS.agentic.includes(type))
    issues.add(`tasks.${name}.type: '${type}' is not an agentic task; use ${METRIC_TASKS.agentic.join(", ")}.`)
  const run = runParams(config.params, task.params)
  const { template: _template, ...params } = task.params ?? {}
  const metrics = defineMetrics({
    name,
    issues,
    metrics: taskMetrics(config, task),
    run,
    defaults: { ...config.params, ...params },
  })
  const request = taskRequest(toShape)
  return askingShape(toShape, { run, metrics, request, keys: ["user_input", "question", "input", "prompt"] })
}
