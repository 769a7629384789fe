import {
  AssayError,
  type EvaluationConfigBody,
  type EvaluationTargetBody,
  type HarnessConfig,
  type HarnessLimits,
} from "@assay/schemas"
import { isFilePath, type FilePath } from "@assay/storage"
import { compileTemplate } from "@assay/templates"
import type { HarnessJob, HarnessSettings } from "./harness-ports.ts"
import { checkLimits } from "./limits/harness-limits.ts"

/** A harness, with every default filled in. */
export interface Harness {
  readonly command: readonly [string, ...string[]]
  readonly environment: Readonly<Record<string, string>>
  /** References to secrets, by the variable that gets the value. */
  readonly secrets: Readonly<Record<string, string>>
  /** The path of the results file below the working folder. */
  readonly results: FilePath
  readonly timeLimitMs: number
  /** Its own limits. Those of the operator hold too. */
  readonly limits: HarnessLimits
  /** The network that it can reach from a sandbox. */
  readonly network: NonNullable<HarnessConfig["network"]>
}

const RESULTS = "results.json"
const TIME_LIMIT_S = 24 * 3600

/** Reads the harness of a `benchmark`. @throws `invalid_request` if it has none, or none that can be run */
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
    throw invalid(
      "harness.results",
      `'${results}' is not a path below the working folder; write one such as '${RESULTS}'`,
    )
  }
  if (network !== "none" && network !== "endpoint") {
    throw invalid("harness.network", `'${String(network)}' is unknown; write 'none' or 'endpoint'`)
  }
  checkAmounts(limits)
  if (!(time_limit > 0))
    throw invalid("harness.time_limit", `${time_limit} is not a time limit; give a number of seconds above 0`)
  return { command: [program, ...args], environment, secrets, results, timeLimitMs: time_limit * 1000, limits, network }
}

/** Checks that each limit is a number above 0. @throws `invalid_request` */
function checkAmounts(limits: HarnessLimits): void {
  for (const [name, limit] of Object.entries(limits)) {
    if (!(Number.isFinite(limit) && limit > 0))
      throw invalid(`harness.limits.${name}`, `'${String(limit)}' is not a limit; give a number above 0`)
  }
}

function invalid(location: string, what: string): AssayError {
  return new AssayError("invalid_request", `config.${location}: ${what}.`)
}

/**
 * Checks that the harness of a `benchmark` can be started here.
 * @throws `harness_not_allowed`, `invalid_request`, `template_error`
 */
export function checkHarness(
  job: HarnessJob,
  environment: Pick<HarnessSettings, "harnessEnvironment" | "harnessLimits">,
): void {
  checkHarnessAllowed(environment)
  const harness = readHarnessConfig(job.config)
  checkLimits(harness.limits, environment.harnessLimits)
  renderCommand(harness, job)
}

/** Returns the variables that every harness is started with. @throws `harness_not_allowed` if the operator allows no harnesses */
export function checkHarnessAllowed({
  harnessEnvironment,
}: Pick<HarnessSettings, "harnessEnvironment">): Readonly<Record<string, string>> {
  if (harnessEnvironment !== undefined) return harnessEnvironment
  const what = "A benchmark runs a command of its user, and harnesses are not allowed here"
  const advice =
    "run it with `assay eval run` on a machine of your own, or ask the operator to set ASSAY_HARNESS_ENVIRONMENT"
  throw new AssayError("harness_not_allowed", `${what}; ${advice}.`)
}

/**
 * Renders the arguments of a harness, which are templates over the job. `url` replaces the address of the endpoint.
 * @throws `template_error` that names the argument
 */
export function renderCommand(
  { command, results }: Harness,
  { target, config }: { readonly target: EvaluationTargetBody; readonly config: EvaluationConfigBody },
  url?: string,
): readonly [string, ...string[]] {
  const endpoint = target.model?.api_endpoint
  const values = {
    // A target that is not a model has nothing to name.
    target: endpoint === undefined ? {} : { url: url ?? endpoint.url, model_id: endpoint.model_id },
    results,
    // Always present, so that templates can test it with `if`: a missing name is an error.
    limit_samples: config.params?.limit_samples ?? null,
  }
  const render = (argument: string, index: number) =>
    compileTemplate(argument, { name: `harness.command[${index}]` }).render(values)
  const [program, ...args] = command
  return [render(program, 0), ...args.map((argument, index) => render(argument, index + 1))]
}
