import { invalidRequest, type EvaluationDataset } from "@assay/schemas"
import type { TaskRows, TaskToShape } from "./task-shape.ts"

/**
 * The rows of a task: those of a target that holds some; for a model those of the task's own dataset.
 * @throws `invalid_request` where there are none
 */
export function taskRows({ target, name, task }: Pick<TaskToShape, "target" | "name" | "task">): TaskRows {
  const { type, rows } = target
  if (type === "rows") {
    if (rows === undefined || rows.length === 0) throw missing(["target", "rows"], "has no rows; give at least one.")
    return { kind: "rows", rows }
  }
  const own = datasetOf(task.dataset)
  if (type === "model") return { kind: "dataset", dataset: given(own, ["tasks", name, "dataset"]) }
  const found = type === "dataset" ? (target.dataset ?? own) : target.cached_outputs
  return { kind: "dataset", dataset: given(found, ["target", type]) }
}

/** A task's dataset as it is written: lenient, since what is wrong with it is found when it is opened. */
export function datasetOf(dataset: unknown): EvaluationDataset | string | undefined {
  if (typeof dataset === "string") return dataset
  return typeof dataset === "object" && dataset !== null ? dataset : undefined
}

function given<Dataset>(dataset: Dataset | undefined, path: readonly string[]): Dataset {
  if (dataset !== undefined) return dataset
  throw missing(path, "is missing; give an object with 'files_url'.")
}

function missing(path: readonly string[], message: string): Error {
  return invalidRequest(path, message, "missing")
}
