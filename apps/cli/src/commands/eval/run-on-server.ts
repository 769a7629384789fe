import type { ScoreGate } from "@assay/evaluation"
import type { Context } from "../../../context.ts"
import { EXIT, type ExitCode } from "../../../exit-code.ts"
import { openClient } from "../../../open-client.ts"
import { formatError, type DescribedError } from "../../../output/describe-error.ts"
import { formatJson } from "../../../output/format-json.ts"
import { writeStyled, writeText } from "../../../output/write-text.ts"
import type { Overrides } from "../file/apply-overrides.ts"
import type { OpenedEvaluationFile } from "../file/evaluation-file.ts"
import { followJob } from "../jobs/follow-job.ts"
import { launchFile } from "../jobs/launch-file.ts"
import { tellEnd } from "../jobs/tell-end.ts"
import { createProgressTeller } from "../screen/progress-teller.ts"
import { checkOutFolder } from "./check-out-folder.ts"

export interface RunOnServerOptions {
  readonly file: OpenedEvaluationFile
  readonly gates: readonly ScoreGate[]
  readonly overrides: Overrides
  /** Absolute: where the results are fetched to; absent: they stay on the server. */
  readonly out: string | undefined
  readonly json: boolean | undefined
  readonly junit: string | undefined
  readonly skipChecks: boolean | undefined
}

/** Launches a file on a server and follows it to its end. Ctrl-C leaves the job running there. */
export async function runOnServer(context: Context, options: RunOnServerOptions): Promise<ExitCode> {
  const { file, overrides, skipChecks, gates, out, junit, json } = options
  if (out !== undefined) await checkOutFolder(out)
  const client = openClient(context)
  const teller = createProgressTeller(context, { json: json === true })
  const { id } = await launchFile(context, { file, overrides, skipChecks, client, say: (text) => teller.say(text) })
  teller.say(`launched ${id} on ${client.url}`)
  try {
    await followJob(context, client, id, teller)
  } catch (error) {
    if (!context.signal.aborted) throw error
    if (json === true) await writeText(context.stderr, formatJson({ error: left(id) }))
    else await writeStyled(context.stderr, formatError(left(id)))
    return EXIT.interrupted
  }
  return tellEnd(context, client, id, { gates, out, junit, json: json === true })
}

/** To run the same command again would launch another job. */
function left(id: string): DescribedError {
  const remedy = `Follow it again, or end it with \`assay eval cancel ${id}\`.`
  return { code: "interrupted", message: `Interrupted; ${id} goes on.`, remedy, command: `assay eval watch ${id}` }
}
