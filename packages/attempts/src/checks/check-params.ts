import { EvaluationParams, invalidRequest, misspeltName, nearestNames } from "@assay/schemas"
import { SENT } from "@assay/scoring"
import type { TaskShape } from "@assay/evaluation"
import type { LaunchSubject } from "./launch-ports.ts"
import { type FailedCheck, failedCheck, type LaunchReport } from "./check-run.ts"

/** Parameters of a calibration as a whole. */
const OF_CALIBRATION = ["max_false_block", "max_miss"]

/** Parameters of runs and requests. Content safety reads `guardrail` from a configuration and from a task. */
const OF_A_RUN = [...Object.keys(EvaluationParams.properties), ...SENT, "guardrail"].filter(
  (name) => !OF_CALIBRATION.includes(name),
)

/** Parameters of a job as a whole. */
const OF_A_JOB: ReadonlySet<string> = new Set([
  "gates",
  "budget",
  "prices",
  "rate",
  "executor",
  "shards",
  "at_once",
  "recording",
])

const OF_A_TASK = [...OF_A_RUN.filter((name) => !OF_A_JOB.has(name)), "template", "conversation", "agent"]

/** Maximum number of reported keys: more are not useful, and each one costs a search for similar names. */
const MAX_KEYS = 50

/** Maximum number of characters of a key in a message. */
const MAX_KEY_CHARACTERS = 100

/** The parameters at one location, and the known names there. */
interface GivenParams {
  readonly location: string
  readonly given: readonly string[]
  readonly known: readonly string[]
  /** The remedy for a parameter that has no effect here. */
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
  const locations: readonly GivenParams[] = [
    { location: "config.params", given: keysOf(config.params), known: ofConfig, advice },
    ...Object.entries(config.tasks ?? {}).map(([name, { params }]) => ({
      location: `tasks.${name}.params`,
      given: keysOf(params),
      known: [...ofTask, ...(config.type === "agentic" ? read(name) : [])],
      advice,
    })),
    ...tasks.flatMap(({ name, metrics }) =>
      metrics.flatMap(({ key, params }) =>
        params === undefined
          ? []
          : {
              location: `tasks.${name}.metrics.${key}.params`,
              given: params.given,
              known: params.read,
              advice: "leave it out",
            },
      ),
    ),
  ]
  const unknown = locations.flatMap((location) => unknownOf(location)).slice(0, MAX_KEYS)
  const checked = unknown.map(([key, location]) => checkOf(key, location))
  return {
    failed: checked.filter(({ isMisspelt }) => isMisspelt).map(({ check }) => check),
    warnings: checked.filter(({ isMisspelt }) => !isMisspelt).map(({ check }) => check),
  }
}

function keysOf(params: unknown): readonly string[] {
  return typeof params === "object" && params !== null ? Object.keys(params) : []
}

function unknownOf(location: GivenParams): readonly (readonly [key: string, location: GivenParams])[] {
  const known = new Set(location.known)
  return location.given.filter((key) => !known.has(key)).map((key) => [key, location])
}

function checkOf(
  key: string,
  { location, given, known, advice }: GivenParams,
): { readonly isMisspelt: boolean; readonly check: FailedCheck } {
  // A parameter that is given already can't be the one that was meant.
  const names = [...new Set(known)].filter((name) => !given.includes(name))
  const meant = misspeltName(key, names)
  const near = meant === undefined ? nearestNames(key, names) : [meant]
  const rest = near.length === 0 ? advice : `did you mean '${near.join("' or '")}'?`
  const shown = key.length > MAX_KEY_CHARACTERS ? `${key.slice(0, MAX_KEY_CHARACTERS)}…` : key
  const error = invalidRequest([...location.split("."), shown], `has no effect here; ${rest}`, "extra_forbidden")
  return { isMisspelt: meant !== undefined, check: failedCheck("shape", error) }
}
