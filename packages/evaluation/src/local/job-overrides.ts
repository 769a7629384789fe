import type { EvaluationConfigBody } from "@assay/schemas"

/** Options of the command line that win over the file. */
export interface Overrides {
  readonly limit?: number
  readonly parallelism?: number
  readonly maxFail?: number
}

const KEYS = { limit: "limit_samples", parallelism: "parallelism", maxFail: "max_failed_share" } as const

/** The configuration with `--limit`, `--parallelism` and `--max-fail` in force, in each task too: its params win over those above. */
export function applyOverrides(config: EvaluationConfigBody, overrides: Overrides): EvaluationConfigBody {
  const given = Object.fromEntries(
    Object.entries(KEYS).flatMap(([option, key]) => {
      const value = overrides[option as keyof Overrides]
      return value === undefined ? [] : [[key, value] as const]
    }),
  )
  if (Object.keys(given).length === 0) return config
  const tasks = Object.entries(config.tasks ?? {}).map(([name, task]) => {
    const own = Object.keys(task.params ?? {}).some((key) => key in given)
    return [name, own ? { ...task, params: { ...task.params, ...given } } : task] as const
  })
  return {
    ...config,
    params: { ...config.params, ...given },
    ...(config.tasks === undefined ? {} : { tasks: Object.fromEntries(tasks) }),
  }
}
