import { EvaluationParams, invalidRequest, misspeltName, nearestNames } from "@assay/schemas"
import { SENT } from "@assay/scoring"
import type { TaskShape } from "@assay/evaluation"
import type { LaunchSubject } from "../launch-ports.ts"
import { failedCheck, type FailedCheck, type LaunchReport } from "./launch-report.ts"

/** Parameters of a calibration as a whole. */
const OF_CALIBRATION = ["max_false_block", "max_miss"]
/** Parameters of runs and requests. Content safety reads `guardrail` from a configuration and from a task. */
const OF_A_RUN = [...Object.keys(EvaluationParams.properties), ...SENT, "guardrail"].filter(
  (name) => !OF_CALIBRATION.includes(name),
)
const OF_A_TASK = [...OF_A_RUN.filter((name) => name !== "gates" && name !== "budget"), "template"]
/** Maximum number of reported keys: nobody reads more, and each one costs a search for similar names. */
const MAX_KEYS = 50
/** Maximum number of characters of a key in a message. */
const MAX_SHOWN = 100

/** The parameters at one place, and the known names there. */
interface GivenParams {
  readonly place: string
  readonly given: readonly string[]
  readonly known: readonly string[]
  /** What to do with a parameter that has no effect here. */
  readonly advice: string
}

/**
 * Reports keys of `params` without an effect. A key that is certainly misspelt fails the launch, since the job would run without the
 * parameter. Any other key is a warning, since other programs send keys of their own.
 */
export function checkParams({ config }: LaunchSubject, tasks: readonly TaskShape[]): LaunchReport {
  // A harness may read any parameter.
  if (config.type === "benchmark") return { failed: [], warnings: [] }
  const read = (name: string) =>
    tasks
      .filter((task) => task.name === name)
      .flatMap(({ metrics }) => metrics.flatMap(({ params }) => params?.read ?? []))
  const ofMetrics = config.type === "agentic" ? tasks.flatMap(({ name }) => read(name)) : []
  const isCalibration = config.type === "calibration"
  const ofConfig = [...OF_A_RUN, ...ofMetrics, ...(isCalibration ? OF_CALIBRATION : [])]
  const ofTask = [...OF_A_TASK, ...(isCalibration ? ["model"] : [])]
  const advice = "put parameters for a model under 'extra'"
  const places: readonly GivenParams[] = [
    { place: "config.params", given: keysOf(config.params), known: ofConfig, advice },
    ...Object.entries(config.tasks ?? {}).map(([name, { params }]) => ({
      place: `tasks.${name}.params`,
      given: keysOf(params),
      known: [...ofTask, ...(config.type === "agentic" ? read(name) : [])],
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
  // A parameter that is given already can't be the one that was meant.
  const names = [...new Set(known)].filter((name) => !given.includes(name))
  const meant = misspeltName(key, names)
  const near = meant === undefined ? nearestNames(key, names) : [meant]
  const rest = near.length === 0 ? advice : `did you mean '${near.join("' or '")}'?`
  const shown = key.length > MAX_SHOWN ? `${key.slice(0, MAX_SHOWN)}…` : key
  const error = invalidRequest([...place.split("."), shown], `has no effect here; ${rest}`, "extra_forbidden")
  return { isMisspelt: meant !== undefined, check: failedCheck("shape", error) }
}
