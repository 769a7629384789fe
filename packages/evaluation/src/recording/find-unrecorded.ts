import type { EvaluationConfigBody } from "@assay/schemas"

/** Types of configurations and tasks that send requests of another kind than chats and texts. */
const NOT_RECORDED: ReadonlySet<string> = new Set([
  "content_safety",
  "calibration",
  "benchmark",
  "loglikelihood",
  "multiple-choice",
])

/** Returns what a recording would not have: the type of a configuration or task, or services of metrics. Undefined: it has all. */
export function findUnrecorded({ type, tasks = {} }: EvaluationConfigBody, isReplayOnly: boolean): string | undefined {
  const all = Object.values(tasks)
  const found = [type, ...all.map((task) => task.type ?? "")].find((one) => NOT_RECORDED.has(one))
  const isRemote =
    isReplayOnly && all.some(({ metrics = {} }) => Object.values(metrics).some((one) => one.type === "remote"))
  return found ?? (isRemote ? "remote" : undefined)
}
