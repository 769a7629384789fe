import { invalidRequest, type EvaluationDataset } from "@assay/schemas"
import type { TaskRows, TaskToShape } from "./task-shape.ts"

/**
 * The rows of a task: those of a target that holds some; for a model those of the task's own dataset.
 * @throws `invalid_request` where there are none
 */
export function taskRows({ target, name, task }: Pick<TaskToShape, "target" | "name" | "task">): TaskRows {
  switch (target.type) {
    case "rows":
      if (target.rows === undefined || target.rows.length === 0) throw missing(["target", "rows"], "has no rows; give at least one.")
      return { kind: "rows", rows: target.rows }
    case "cached_outputs":
      return { kind: "dataset", dataset: given(target.cached_outputs, ["target", "cached_outputs"]) }
    case "dataset":
      return { kind: "dataset", dataset: given(target.dataset ?? datasetOf(task.dataset), ["target", "dataset"]) }
    case "model":
      return { kind: "dataset", dataset: given(datasetOf(task.dataset), ["tasks", name, "dataset"]) }
  }
}

/** A task's dataset as it is written: lenient, since what is wrong with it is found when it is opened. */
export function datasetOf(dataset: unknown): EvaluationDataset | string | undefined {
  if (typeof dataset === "string") return dataset
  return typeof dataset === "object" && dataset !== null ? (dataset as EvaluationDataset) : undefined
}

function given<Dataset>(dataset: Dataset | undefined, path: readonly string[]): Dataset {
  if (dataset !== undefined) return dataset
  throw missing(path, "is missing; give an object with 'files_url'.")
}

function missing(path: readonly string[], message: string): Error {
  return invalidRequest(path, message, "missing")
}
