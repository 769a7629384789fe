import type { ConfigType, EvaluationConfigBody, EvaluationTargetBody } from "@assay/schemas"
import { issueList, type PlanIssue, type ShapeTask, type TaskShape } from "./task-shape.ts"
import { shapeAgentic } from "./shape-agentic.ts"
import { shapeContentSafety } from "./shape-content-safety.ts"
import { shapeCustom } from "./shape-custom.ts"
import { shapeRetriever } from "./retriever/shape-retriever.ts"
import { shapeSimilarity } from "./shape-similarity.ts"

/** A target and a configuration put together, as far as that goes without opening anything. */
export interface PlanShape {
  readonly tasks: readonly TaskShape[]
  /** What keeps it from being run; none where all is well. */
  readonly issues: readonly PlanIssue[]
}

const SHAPES: Readonly<Record<Exclude<ConfigType, "benchmark">, ShapeTask>> = {
  custom: shapeCustom,
  similarity_metrics: shapeSimilarity,
  agentic: shapeAgentic,
  retriever: shapeRetriever,
  content_safety: shapeContentSafety,
}

/** Configuration types that need no task: there is one by nature. */
const OWN_TASK: Readonly<Partial<Record<ConfigType, string>>> = {
  similarity_metrics: "default",
  retriever: "default",
  content_safety: "default",
}

/** Issues after which further tasks are not looked at. */
const MAX_ISSUES = 100

/**
 * Puts a target and a configuration together: compiles every template, reads every metric, and says all that is wrong at once. A
 * benchmark has no tasks here, since its harness reads its own rows.
 */
export function shapePlan(target: EvaluationTargetBody, config: EvaluationConfigBody): PlanShape {
  const issues: PlanIssue[] = []
  if (config.type === "benchmark") return { tasks: [], issues }
  const shape = SHAPES[config.type]
  const own = OWN_TASK[config.type]
  const tasks = Object.entries(config.tasks ?? (own === undefined ? {} : { [own]: {} }))
  if (tasks.length === 0) issueList(null, issues).add("config.tasks: is empty; name at least one task.")
  const shapes = tasks.map(([name, task]) => {
    // Nobody reads more, and every one costs a search for near names.
    if (issues.length >= MAX_ISSUES) return undefined
    const shaped = shape({ target, config, name, task, issues: issueList(name, issues) })
    return shaped === undefined ? undefined : withClusterField(shaped)
  })
  return { tasks: shapes.filter((one) => one !== undefined), issues }
}

/** A group that no row has would leave intervals too narrow without a word. */
function withClusterField(shape: TaskShape): TaskShape {
  const { clusterBy } = shape.run
  if (clusterBy === undefined) return shape
  const field = { anyOf: [clusterBy], by: `'cluster_by' of task '${shape.name}'` }
  return { ...shape, fields: [...shape.fields, field] }
}
