import type { EvaluationConfigBody, JobGate, JobRecording } from "@assay/schemas"

/** Values that replace those of a configuration. */
export interface JobOverrides {
  /** `limit_samples` */
  readonly limit?: number
  readonly parallelism?: number
  /** Requests a second. */
  readonly rate?: number
  /** `max_failed_share`, from 0 to 1. */
  readonly maxFail?: number
  /** Added to the gates of the configuration. */
  readonly gates?: JobGate[]
  /** Only for jobs of a server. */
  readonly inFileset?: JobRecording | undefined
}

const KEYS = { limit: "limit_samples", parallelism: "parallelism", rate: "rate", maxFail: "max_failed_share" } as const

/** Applies overrides to the params of a configuration, and to those of each task that sets its own: a task's params win otherwise. */
export function applyOverrides(config: EvaluationConfigBody, overrides: JobOverrides): EvaluationConfigBody {
  const given = Object.fromEntries(givenIn(overrides).map(([option, value]) => [KEYS[option], value]))
  const { gates = [], inFileset: recording } = overrides
  if (Object.keys(given).length === 0 && gates.length === 0 && recording === undefined) return config
  const { rate: _ofJob, ...ofTask } = given
  const tasks = Object.entries(config.tasks ?? {}).map(([name, task]) => {
    const own = Object.keys(task.params ?? {}).some((key) => key in ofTask)
    return [name, own ? { ...task, params: { ...task.params, ...ofTask } } : task] as const
  })
  return {
    ...config,
    params: {
      ...config.params,
      ...given,
      ...(recording === undefined ? {} : { recording }),
      ...(gates.length === 0 ? {} : { gates: [...(config.params?.gates ?? []), ...gates] }),
    },
    ...(config.tasks === undefined ? {} : { tasks: Object.fromEntries(tasks) }),
  }
}

type MaybeOverrides = { readonly [Key in keyof JobOverrides]?: JobOverrides[Key] | undefined }

/** Picks the overrides from other options. Those that are not given are absent. */
export function overridesOf(options: MaybeOverrides): JobOverrides {
  const { gates, inFileset } = options
  return {
    ...Object.fromEntries(givenIn(options)),
    ...(gates === undefined ? {} : { gates }),
    ...(inFileset === undefined ? {} : { inFileset }),
  }
}

function givenIn(options: MaybeOverrides): readonly (readonly [keyof typeof KEYS, number])[] {
  return (["limit", "parallelism", "rate", "maxFail"] as const).flatMap((name) => {
    const value = options[name]
    return value === undefined ? [] : [[name, value] as const]
  })
}
