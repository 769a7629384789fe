import { type Client, readEndedJob } from "@assay/client"
import { formatSummary } from "@assay/reports"
import { resultScores } from "@assay/results"
import { AssayError, isFinalJobStatus, readGateStates } from "@assay/schemas"

const MAX_BYTES = 40_000
const MAX_FAILED_ROWS = 5

/** Returns the report of a job in a workspace as Markdown: its end, gates, scores, failed rows, conditions and cost. @throws `not_found` */
export async function readJobReport(
  client: Client,
  { workspace, id }: { readonly workspace: string; readonly id: string },
  signal: AbortSignal,
): Promise<string> {
  const { evaluation } = client
  const { job, status, result, rows, milliseconds } = await readEndedJob(evaluation.jobs, id, { signal })
  // A report has one address, so that an assistant does not quote a job as one of another workspace.
  if (job.namespace !== workspace) throw new AssayError("not_found", `There is no job '${id}' in '${workspace}'.`)
  const hasRows = job.config.type !== "benchmark" && rows > 0
  const failed = hasRows
    ? await evaluation.jobs.rows(id, { filter: { error: { $nin: "null" } }, limit: MAX_FAILED_ROWS }, { signal })
    : { data: [] }
  const gates = readGateStates(job.status_details.gates)
  const { samples_failed, tokens, cost, message } = job.status_details
  const summary = {
    name: job.config.name ?? id,
    verdict: verdictOf(status, gates),
    job: {
      status,
      message,
      conditions: job.conditions,
      rows,
      failed: samples_failed,
      tokens,
      cost,
      asksModel: job.target.model !== undefined,
      ...(isFinalJobStatus(status) ? { milliseconds } : {}),
    },
    gates,
    ...(result === null ? {} : { scores: resultScores.list(result) }),
    worst: failed.data,
    links: [{ label: "The job on the server", url: new URL(`jobs/${encodeURIComponent(id)}`, `${client.url}/`).href }],
  }
  return formatSummary(summary, { maxBytes: MAX_BYTES })
}

function verdictOf(
  status: string,
  gates: readonly { readonly verdict: string | null }[],
): "PASS" | "FAIL" | "INCONCLUSIVE" {
  if (status === "FAILED" || gates.some(({ verdict }) => verdict === "FAIL")) return "FAIL"
  return status !== "COMPLETED" || gates.some(({ verdict }) => verdict !== "PASS") ? "INCONCLUSIVE" : "PASS"
}
