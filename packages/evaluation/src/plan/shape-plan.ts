import { EvaluationConfigBody, type ConfigType, type EvaluationTargetBody } from "@assay/schemas"
import { checkHarnessGates, planGates, type PlannedGate } from "../gates/plan-gates.ts"
import type { ShapeTask, TaskShape } from "./task-shape.ts"
import { issueList, type PlanIssue } from "./plan-issues.ts"
import { shapeAgentic } from "./asking-shape.ts"
import { meantKey } from "./meant-key.ts"
import { shapeCustom } from "./custom/shape-custom.ts"
import { shapeCalibration } from "./content-safety/shape-calibration.ts"
import { shapeContentSafety } from "./content-safety/shape-content-safety.ts"
import { shapeRetriever } from "./retriever/shape-retriever.ts"
import { shapeSimilarity } from "./shape-similarity.ts"

/** The tasks of a target and a configuration, before anything is opened. */
export interface PlanShape {
  readonly tasks: readonly TaskShape[]
  /** The gates of `params.gates`. */
  readonly gates: readonly PlannedGate[]
  /** Faults that prevent a run. */
  readonly issues: readonly PlanIssue[]
}

const SHAPES: Readonly<Record<Exclude<ConfigType, "benchmark">, ShapeTask>> = {
  custom: shapeCustom,
  similarity_metrics: shapeSimilarity,
  agentic: shapeAgentic,
  retriever: shapeRetriever,
  content_safety: shapeContentSafety,
  calibration: shapeCalibration,
}

/** Configuration types with a default task. */
const OWN_TASK: Readonly<Partial<Record<ConfigType, string>>> = {
  similarity_metrics: "default",
  retriever: "default",
  content_safety: "default",
}

/** Maximum number of issues. Further tasks are not shaped after that. */
const MAX_ISSUES = 100

/**
 * Shapes the tasks of a target and a configuration: compiles every template, defines every metric, and reports all faults at once.
 * A benchmark has no tasks here, since its harness reads its own rows.
 */
export function shapePlan(target: EvaluationTargetBody, config: EvaluationConfigBody): PlanShape {
  const issues: PlanIssue[] = []
  if (config.type === "benchmark") {
    checkHarnessGates(config, issueList(null, issues))
    return { tasks: [], gates: [], issues }
  }
  const shape = SHAPES[config.type]
  const own = OWN_TASK[config.type]
  const tasks = Object.entries(config.tasks ?? (own === undefined ? {} : { [own]: {} }))
  if (tasks.length === 0)
    issueList(null, issues).add(
      `config.tasks: is empty; name at least one task.${meantKey(config, "tasks", EvaluationConfigBody.properties)}`,
    )
  const shapes = tasks.map(([name, task]) => {
    // Nobody reads more issues, and each one costs a search for similar names.
    if (issues.length >= MAX_ISSUES) return undefined
    const shaped = shape({ target, config, name, task, issues: issueList(name, issues) })
    return shaped === undefined ? undefined : withGroupFields(shaped)
  })
  const shaped = shapes.filter((one) => one !== undefined)
  return { tasks: shaped, gates: planGates(config, shaped, issueList(null, issues)), issues }
}

/**
 * Adds the fields of `cluster_by` and `slices` to the fields that rows must have. Without them, intervals would silently be too narrow,
 * and slices empty.
 */
function withGroupFields(shape: TaskShape): TaskShape {
  const { clusterBy, slices } = shape.run
  const of = `of task '${shape.name}'`
  const cluster = clusterBy === undefined ? [] : [{ anyOf: [clusterBy], by: `'cluster_by' ${of}` }]
  const columns = slices.map((column) => ({
    anyOf: [...new Set([column, column.split(".")[0] ?? column])],
    by: `'slices' ${of}`,
  }))
  return { ...shape, fields: [...shape.fields, ...cluster, ...columns] }
}
