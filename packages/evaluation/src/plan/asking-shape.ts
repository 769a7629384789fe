import type { MetricDefinition } from "../metrics/metric-definition.ts"
import { fieldsOfTemplates, type FieldRead } from "./field-read.ts"
import { openAsk } from "./open-ask.ts"
import { openTaskRows } from "./open-task-rows.ts"
import { rowRequest } from "./row-request.ts"
import type { RequestTemplate } from "./request-template.ts"
import type { RunParams } from "./run-params.ts"
import { targetEndpoint } from "./target-endpoint.ts"
import { taskRows } from "./task-rows.ts"
import type { TaskShape, TaskToShape } from "./task-shape.ts"

export interface AskingShape {
  readonly run: RunParams
  readonly metrics: readonly MetricDefinition[]
  /** Absent: what the row asks by itself, under one of `keys`. */
  readonly request: RequestTemplate | undefined
  readonly keys: readonly string[]
  /** Whether rows are scored as they are, whatever the target. Default false. */
  readonly isData?: boolean
}

/** The shape of a task whose target is a model that is asked about each row, or rows that bring their outputs along. */
export function askingShape(
  toShape: TaskToShape,
  { run, metrics, request, keys, isData = false }: AskingShape,
): TaskShape | undefined {
  const { name, issues } = toShape
  const target = issues.attempt(() => ({ endpoint: targetEndpoint(toShape.target) }))
  const rows = issues.attempt(() => taskRows(toShape))
  if (target === undefined || rows === undefined) return undefined
  const endpoint = isData ? undefined : target.endpoint
  const asked: readonly FieldRead[] =
    request === undefined ? [{ anyOf: keys, by: `task '${name}'` }] : fieldsOfTemplates(request.templates)
  const given: readonly FieldRead[] = metrics.some(({ readsOutput }) => readsOutput)
    ? [{ anyOf: ["response", "output"], by: `task '${name}'` }]
    : []
  return {
    name,
    run,
    rows,
    otherDatasets: [],
    fields: [...(endpoint === undefined ? given : asked), ...metrics.flatMap(({ fields }) => fields)],
    metrics,
    endpoints: [...(endpoint === undefined ? [] : [endpoint]), ...metrics.flatMap(({ endpoints }) => endpoints)],
    openRows: (context) => openTaskRows(rows, run, context),
    openAsk: (context) => openAsk({ endpoint, request: request ?? rowRequest(keys), run }, context),
  }
}
