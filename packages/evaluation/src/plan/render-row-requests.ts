import {
  type EvaluationJob,
  type EvaluationRow,
  isAssayError,
  maskKeys,
  type RowRequest,
  type RowRequests,
} from "@assay/schemas"
import { createStepBudget } from "@assay/templates"
import { shapePlan } from "./shape-plan.ts"
import type { RenderContext, TaskShape } from "./task-shape.ts"

/** Further attempts at a row have a reason instead of requests. */
const MAX_ATTEMPTS = 100
/** Characters of all requests of a row, as JSON. */
const MAX_CHARACTERS = 4 * 1024 * 1024

/**
 * Renders again what the target and the metrics were asked about each attempt at a row, from the row and the configuration of its
 * job. Nothing is sent, and no key is read. All templates share one budget of steps.
 */
export async function renderRowRequests(
  job: Pick<EvaluationJob, "target" | "config">,
  attempts: readonly EvaluationRow[],
  environment: Pick<RenderContext, "getGuardrail">,
): Promise<readonly (readonly RowRequests[])[]> {
  const shape = shapeOf(job, attempts[0]?.task ?? "")
  if (typeof shape === "string") return attempts.map(() => [without(null, shape)])
  const context: RenderContext = { ...environment, steps: createStepBudget() }
  const room = { left: MAX_CHARACTERS }
  /** By item: repeats and attempts have the same one. */
  const asked = new Map<string, RowRequests>()

  async function ofTarget({ item }: EvaluationRow, render: NonNullable<TaskShape["renderRequests"]>) {
    const key = JSON.stringify(item)
    const known = asked.get(key) ?? (await rendered(null, room, () => render(item, context)))
    asked.set(key, known)
    return known
  }

  const found: (readonly RowRequests[])[] = []
  for (const [at, row] of attempts.entries()) {
    if (at >= MAX_ATTEMPTS) {
      found.push([without(null, `Requests are shown for the first ${MAX_ATTEMPTS} attempts at a row.`)])
      continue
    }
    const own: RowRequests[] = []
    if (shape.renderRequests !== undefined) own.push(await ofTarget(row, shape.renderRequests))
    const { item, sample } = row
    if (sample !== null) {
      for (const { key, renderRequests } of metricsOf(shape, row)) {
        const input = { item, sample }
        if (renderRequests !== undefined)
          own.push(await rendered(key, room, () => renderRequests(input, context.steps)))
      }
    }
    found.push(own)
  }
  return found
}

/** Returns the shape of a task; or a sentence why there is none. */
function shapeOf({ target, config }: Pick<EvaluationJob, "target" | "config">, name: string): TaskShape | string {
  if (config.type === "benchmark") return "The harness of the benchmark made the requests; its log has them."
  const task = config.tasks !== undefined && Object.hasOwn(config.tasks, name) ? config.tasks[name] : undefined
  // Compiles the templates of only this task.
  const only = task === undefined ? config : { ...config, tasks: { [name]: task } }
  const { tasks, issues } = shapePlan(maskKeys(target), maskKeys(only))
  const [first] = issues
  if (first !== undefined) return first.message
  return tasks.find((one) => one.name === name) ?? `The configuration of the job has no task '${name}'.`
}

/** Returns the metrics that were asked about a row: those with scores, and all if the row has an error. */
function metricsOf({ metrics }: TaskShape, { scores, error }: EvaluationRow): TaskShape["metrics"] {
  return error === null ? metrics.filter(({ key }) => Object.hasOwn(scores, key)) : metrics
}

async function rendered(
  metric: string | null,
  room: { left: number },
  render: () => readonly RowRequest[] | Promise<readonly RowRequest[]>,
): Promise<RowRequests> {
  try {
    const requests = await render()
    room.left -= JSON.stringify(requests).length
    if (room.left < 0) return without(metric, "The requests of the row are too large to be shown together.")
    return { metric, requests: [...requests], reason: null }
  } catch (error) {
    if (!isAssayError(error)) throw error
    return without(metric, error.message)
  }
}

function without(metric: string | null, reason: string): RowRequests {
  return { metric, requests: [], reason }
}
