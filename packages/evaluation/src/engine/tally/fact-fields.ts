import type { TaskPlan } from "../../plan/task-plan.ts"

/** Returns the fields of items, or paths in them, that the numbers of a task depend on. */
export function factFieldsOf({ clusterBy, slices = [] }: TaskPlan): readonly string[] {
  return [...new Set(clusterBy === undefined ? slices : [...slices, clusterBy])]
}

/** Returns whether the numbers of a task depend on texts of its rows, such as a score over all answers at once. */
export function needsTexts({ metrics, early }: TaskPlan): boolean {
  return early !== undefined || metrics.some(({ createCorpusScores }) => createCorpusScores !== undefined)
}
