import { AssayError } from "@assay/schemas"
import type { LaunchFacts } from "./launch-facts.ts"
import type { LaunchPorts } from "./launch-ports.ts"
import { type CheckRun, type FailedCheck, formatLimit } from "./check-run.ts"

/** Types of configurations whose tasks have metrics with scores of rows. */
const WITH_METRICS: ReadonlySet<string> = new Set(["custom", "similarity_metrics", "agentic", "retriever"])
/** Each file of labels has up to 32 MiB, and all of a job are in memory at its end. */
const MAX_FILES = 8

/** Checks that labels which metrics name exist and can be read. */
export async function checkLabels(
  { config, labels: all }: LaunchFacts,
  { readLabels }: Pick<LaunchPorts, "readLabels">,
  run: CheckRun,
): Promise<readonly FailedCheck[]> {
  const named = [...Map.groupBy(all, ({ labels }) => labels)]
  const checks = named.map(async ([labels, metrics], at) => {
    const locations = metrics.map(({ location }) => location)
    const end = run.begin("labels", locations)
    const look = async (signal: AbortSignal) => {
      if (!WITH_METRICS.has(config.type)) {
        const message = `A configuration of the type '${config.type}' has no scores of metrics that labels correct.`
        throw new AssayError("invalid_request", message)
      }
      if (at >= MAX_FILES) {
        const message = `A job reads labels of at most ${MAX_FILES} filesets; this one names ${named.length}.`
        throw new AssayError("invalid_request", message)
      }
      if (readLabels === undefined) throw new AssayError("invalid_request", `There are no labels '${labels}' here.`)
      await readLabels(labels, signal)
    }
    const tooSlow = () =>
      new AssayError("unavailable", `The labels '${labels}' could not be read within ${formatLimit(run.limitMs)}.`)
    const outcome = await run.run("labels", look, tooSlow)
    const failed = "failed" in outcome ? [withLocations(outcome.failed, locations)] : []
    return end({ failed, warnings: [] }).failed
  })
  return (await Promise.all(checks)).flat()
}

function withLocations(failed: FailedCheck, locations: readonly string[]): FailedCheck {
  return { ...failed, message: `${failed.message.replace(/\.$/, "")} (${locations.join(", ")}).` }
}
