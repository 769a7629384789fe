import { stat } from "node:fs/promises"
import { isLocalPath, type EvaluationConfigBody } from "@assay/schemas"
import { labelledMetrics } from "@assay/results"
import { localPath, type LocalBase } from "../open-local-dataset.ts"

interface WithConfig {
  readonly config?: EvaluationConfigBody
}

/** Returns every path of this machine with labels that metrics of a job name, each once. */
export function localLabels({ config = { type: "custom" } }: WithConfig): readonly string[] {
  return [...new Set(labelledMetrics(config).map(({ labels }) => labels))].filter(isLocalPath)
}

/** Copies a job and replaces the labels that its metrics name by the result of `map`. */
export function mapLabels<T extends WithConfig>(job: T, map: (labels: string) => string): T {
  const { config } = job
  if (config?.tasks === undefined) return job
  const tasks = Object.entries(config.tasks).map(([name, task]) => {
    const metrics = Object.entries(task.metrics ?? {}).map(([key, metric]) => {
      return [key, metric.labels === undefined ? metric : { ...metric, labels: map(metric.labels) }] as const
    })
    return [name, task.metrics === undefined ? task : { ...task, metrics: Object.fromEntries(metrics) }] as const
  })
  return { ...job, config: { ...config, tasks: Object.fromEntries(tasks) } }
}

/** Returns whether a path is a folder. A missing one is none. */
export async function isLocalFolder(written: string, base: Pick<LocalBase, "folder" | "home">): Promise<boolean> {
  return stat(localPath(written, base)).then(
    (found) => found.isDirectory(),
    () => false,
  )
}
