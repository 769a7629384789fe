import { EvaluationParams, invalidRequest, misspeltName, nearestNames } from "@assay/schemas"
import { SENT } from "../plan/inference-parameters.ts"
import type { TaskShape } from "../plan/task-shape.ts"
import { failedCheck, type FailedCheck } from "./failed-check.ts"
import type { LaunchReport } from "./launch-report.ts"
import type { LaunchSubject } from "./launch-subject.ts"

/** Of the run and of requests; `guardrail` is read of both by content safety. */
const OF_A_RUN = [...Object.keys(EvaluationParams.properties), ...SENT, "guardrail"]
const OF_A_TASK = [...OF_A_RUN, "template"]
/** Nobody reads more, and every one costs a search for near names. */
const MAX_KEYS = 50
const LONGEST_KEY = 100

/** Parameters that were given, and the names that mean something there. */
interface GivenParams {
  readonly place: string
  readonly given: readonly string[]
  readonly known: readonly string[]
  /** How a parameter that means nothing here reaches a model all the same. */
  readonly advice: string
}

/**
 * Names the keys of `params` that have no effect. One that is surely a misspelling fails the launch, since the job would run without
 * what was meant; any other one is a warning, since other programs send keys of their own.
 */
export function checkParams({ config }: LaunchSubject, tasks: readonly TaskShape[]): LaunchReport {
  // A harness reads what it likes.
  if (config.type === "benchmark") return { failed: [], warnings: [] }
  const read = (name: string) =>
    tasks
      .filter((task) => task.name === name)
      .flatMap(({ metrics }) => metrics.flatMap(({ params }) => params?.read ?? []))
  const ofMetrics = config.type === "agentic" ? tasks.flatMap(({ name }) => read(name)) : []
  const advice = "put what a model is to be sent under 'extra'"
  const places: readonly GivenParams[] = [
    { place: "config.params", given: keysOf(config.params), known: [...OF_A_RUN, ...ofMetrics], advice },
    ...Object.entries(config.tasks ?? {}).map(([name, { params }]) => ({
      place: `tasks.${name}.params`,
      given: keysOf(params),
      known: [...OF_A_TASK, ...(config.type === "agentic" ? read(name) : [])],
      advice,
    })),
    ...tasks.flatMap(({ name, metrics }) =>
      metrics.flatMap(({ key, params }) =>
        params === undefined
          ? []
          : {
              place: `tasks.${name}.metrics.${key}.params`,
              given: params.given,
              known: params.read,
              advice: "leave it out",
            },
      ),
    ),
  ]
  const unknown = places.flatMap((place) => unknownOf(place)).slice(0, MAX_KEYS)
  const checked = unknown.map(([key, place]) => checkOf(key, place))
  return {
    failed: checked.filter(({ isMisspelt }) => isMisspelt).map(({ check }) => check),
    warnings: checked.filter(({ isMisspelt }) => !isMisspelt).map(({ check }) => check),
  }
}

function keysOf(params: unknown): readonly string[] {
  return typeof params === "object" && params !== null ? Object.keys(params) : []
}

function unknownOf(place: GivenParams): readonly (readonly [key: string, place: GivenParams])[] {
  const known = new Set(place.known)
  return place.given.filter((key) => !known.has(key)).map((key) => [key, place])
}

function checkOf(
  key: string,
  { place, given, known, advice }: GivenParams,
): { readonly isMisspelt: boolean; readonly check: FailedCheck } {
  // What is given already is not what was meant.
  const names = [...new Set(known)].filter((name) => !given.includes(name))
  const meant = misspeltName(key, names)
  const near = meant === undefined ? nearestNames(key, names) : [meant]
  const rest = near.length === 0 ? advice : `did you mean '${near.join("' or '")}'?`
  const shown = key.length > LONGEST_KEY ? `${key.slice(0, LONGEST_KEY)}…` : key
  const error = invalidRequest([...place.split("."), shown], `has no effect here; ${rest}`, "extra_forbidden")
  return { isMisspelt: meant !== undefined, check: failedCheck("shape", error) }
}
