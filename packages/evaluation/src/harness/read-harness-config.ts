import { AssayError, type EvaluationConfigBody, type HarnessConfig, type HarnessLimits } from "@assay/schemas"
import { isFilePath, type FilePath } from "@assay/storage"

/** A harness, with every default filled in. */
export interface Harness {
  readonly command: readonly [string, ...string[]]
  readonly environment: Readonly<Record<string, string>>
  /** References of secrets, by the variable that they go into. */
  readonly secrets: Readonly<Record<string, string>>
  /** Below its working folder. */
  readonly results: FilePath
  readonly timeLimitMs: number
  /** Beside those of the operator. */
  readonly limits: HarnessLimits
  /** What it reaches from a sandbox. */
  readonly network: NonNullable<HarnessConfig["network"]>
}

const RESULTS = "results.json"
const TIME_LIMIT_S = 24 * 3600

/** The harness of a `benchmark`. @throws `invalid_request` where it has none that could be run */
export function readHarnessConfig(config: EvaluationConfigBody): Harness {
  const {
    command = [],
    environment = {},
    secrets = {},
    results = RESULTS,
    time_limit = TIME_LIMIT_S,
    network = "none",
    limits = {},
  }: Partial<HarnessConfig> = config.harness ?? {}
  const [program, ...args] = command
  if (program === undefined || program === "") {
    throw invalid("harness.command", "a benchmark runs a command; give program and arguments as a list of texts")
  }
  if (!isFilePath(results)) {
    throw invalid("harness.results", `'${results}' is no path below the working folder; write one such as '${RESULTS}'`)
  }
  if (network !== "none" && network !== "endpoint") {
    throw invalid("harness.network", `'${String(network)}' is unknown; write 'none' or 'endpoint'`)
  }
  checkAmounts(limits)
  if (!(time_limit > 0)) throw invalid("harness.time_limit", `${time_limit} is no time limit; give seconds above 0`)
  return { command: [program, ...args], environment, secrets, results, timeLimitMs: time_limit * 1000, limits, network }
}

/** @throws `invalid_request` for a limit that is no number above 0 */
function checkAmounts(limits: HarnessLimits): void {
  for (const [name, limit] of Object.entries(limits)) {
    if (!(Number.isFinite(limit) && limit > 0))
      throw invalid(`harness.limits.${name}`, `'${String(limit)}' is no limit; give a number above 0`)
  }
}

function invalid(place: string, what: string): AssayError {
  return new AssayError("invalid_request", `config.${place}: ${what}.`)
}
