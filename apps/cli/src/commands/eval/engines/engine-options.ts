import { AssayError } from "@assay/schemas/errors"

/** Options of `assay eval run` about engines. */
export interface EngineOptions {
  readonly executor?: string
  readonly profile?: string
  readonly shards?: number
  readonly atOnce?: number
  readonly retries?: number
  readonly pace?: string
  readonly detach?: boolean
  readonly render?: boolean
}

/** Returns whether the command line names an engine. @throws `bad_usage` for options of engines without one */
export function usesEngine({ executor, profile, ...options }: EngineOptions): boolean {
  if (executor !== undefined || profile !== undefined) return true
  const { shards, atOnce, retries, pace, detach, render } = options
  const given = Object.entries({ shards, "at-once": atOnce, retries, pace, detach, render }).find(
    ([, value]) => value !== undefined,
  )
  if (given === undefined) return false
  throw new AssayError("bad_usage", `--${given[0]} needs an engine: add --executor NAME or --profile NAME.`)
}
