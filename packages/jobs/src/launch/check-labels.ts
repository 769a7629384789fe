import { AssayError, type EvaluationConfigBody } from "@assay/schemas"
import { labelledMetrics, placeOfLabels } from "@assay/results"
import { formatLimit, type CheckRun } from "./checks/check-run.ts"
import type { FailedCheck } from "./checks/launch-report.ts"
import type { LaunchPorts } from "./launch-ports.ts"

/** Types of configurations whose tasks have metrics with scores of rows. */
const WITH_METRICS: ReadonlySet<string> = new Set(["custom", "similarity_metrics", "agentic", "retriever"])
/** Each file of labels has up to 32 MiB, and all of a job are in memory at its end. */
const MAX_FILES = 8

/** Checks that labels which metrics name exist and can be read. */
export async function checkLabels(
  config: EvaluationConfigBody,
  { readLabels }: Pick<LaunchPorts, "readLabels">,
  run: CheckRun,
): Promise<readonly FailedCheck[]> {
  const named = [...Map.groupBy(labelledMetrics(config), ({ labels }) => labels)]
  const checks = named.map(async ([labels, metrics], at) => {
    const places = metrics.map(placeOfLabels)
    const end = run.begin("labels", places)
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
    const failed = "failed" in outcome ? [withPlaces(outcome.failed, places)] : []
    return end({ failed, warnings: [] }).failed
  })
  return (await Promise.all(checks)).flat()
}

function withPlaces(failed: FailedCheck, places: readonly string[]): FailedCheck {
  return { ...failed, message: `${failed.message.replace(/\.$/, "")} (${places.join(", ")}).` }
}
