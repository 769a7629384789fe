import { renderGuardrailRequests } from "./guardrail-requests.ts"
import { askGuardrail, labelledRows, openTargetGuardrail } from "./target-guardrail.ts"
import { fieldsOf } from "@assay/json"
import { type ApiEndpoint, type GuardrailData, toGuardrailData } from "@assay/schemas"
import { checkGuardrailData } from "@assay/guardrails"
import { contentSafetyMetric, defineMetrics, type IssueList, runParams } from "@assay/scoring"
import type { ShapeTask, TaskShape, TaskToShape } from "../task-shape.ts"
import { openTaskRows, taskRows } from "../task-rows.ts"
import type { ReasoningMarks } from "../ask-model.ts"
import { targetEndpoint, targetReasoning } from "../asking-shape.ts"

/**
 * Shapes a task of a `content_safety` configuration: the guardrail in `params.guardrail`, a name or a configuration, checks rows of
 * `{prompt, label, response?, category?, language?}`. A target that is a model is the judge for models without an address; then
 * the default guardrail is `self-check`. Metrics other than `content_safety` score the words of the judge as the answer.
 */
export const shapeContentSafety: ShapeTask = (toShape) => {
  const { target, issues } = toShape
  const found = issues.attempt(() => ({ endpoint: targetEndpoint(target), reasoning: targetReasoning(target) }))
  return shapeGuardrail(toShape, found)
}

/** The model that judges for models of the guardrail without an address, if there is one. */
export interface GuardrailModelOf {
  readonly endpoint: ApiEndpoint | undefined
  readonly reasoning?: ReasoningMarks | undefined
  /** Whether log-probabilities are asked for. Default false. */
  readonly logprobs?: boolean
}

/** Shapes a task that lets a guardrail check labelled prompts. `model` is undefined if it is an issue. */
export function shapeGuardrail(toShape: TaskToShape, model: GuardrailModelOf | undefined): TaskShape | undefined {
  const { config, name, task, issues } = toShape
  const run = runParams(config.params, task.params)
  const rows = issues.attempt(() => taskRows(toShape))
  const written = task.params?.["guardrail"] ?? fieldsOf(config.params)["guardrail"]
  const guardrail = guardrailOf(written, model?.endpoint !== undefined, `tasks.${name}.params.guardrail`, issues)
  if (model === undefined || rows === undefined || guardrail === undefined) return undefined
  const { endpoint, reasoning, logprobs = false } = model
  if (reasoning?.start === null && reasoning.end !== "</think>") {
    issues.add(
      `tasks.${name}: the model that judges has an end of reasoning without a start; write \`reasoning\` with both tags.`,
    )
  }
  const own = Object.entries(task.metrics ?? {})
  const [key = "content_safety"] = own.find(([, { type }]) => type === "content_safety") ?? []
  const others = Object.fromEntries(own.filter(([, { type }]) => type !== "content_safety"))
  const by = `task '${name}'`
  return {
    name,
    run,
    rows,
    otherDatasets: [],
    fields: [
      { anyOf: ["prompt"], by },
      { anyOf: ["label"], by },
    ],
    metrics: [contentSafetyMetric(key), ...defineMetrics({ name, issues, metrics: others, run })],
    endpoints: endpoint === undefined ? [] : [endpoint],
    openRows: async (context) => labelledRows(await openTaskRows(rows, run, context)),
    openAsk: async (context) =>
      askGuardrail(await openTargetGuardrail({ guardrail, endpoint, reasoning, run }, context), { logprobs }),
    renderRequests: (item, context) => renderGuardrailRequests({ guardrail, endpoint }, item, context),
  }
}

function guardrailOf(
  written: unknown,
  hasModel: boolean,
  location: string,
  issues: IssueList,
): string | GuardrailData | undefined {
  if (typeof written === "string" && written !== "") return written
  if (written === undefined && hasModel) return "self-check"
  const { data = written } = fieldsOf(written)
  if (typeof data !== "object" || data === null) {
    issues.add(`${location}: is missing; give the name of a guardrail configuration, or the configuration itself.`)
    return undefined
  }
  return issues.attempt(() => {
    const checked = toGuardrailData(data)
    checkGuardrailData(checked)
    return checked
  })
}
