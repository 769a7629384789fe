import type { EvaluationJob } from "@assay/schemas"
import { AssayError } from "@assay/schemas/errors"
import type { Context } from "../../../context.ts"
import type { ExitCode } from "../../../exit-code.ts"
import { isFolderName } from "../../../is-folder-name.ts"
import { openClient } from "../../../open-client.ts"
import { printable } from "../../../output/printable.ts"
import type { JsonOption } from "../../action.ts"
import { print } from "../../print.ts"
import { runAgain } from "../run/run-again.ts"

export type Steering = "cancel" | "resume" | "retry-failed"

/** `assay eval cancel|resume|retry-failed <job>`; a folder is a run of this machine, which goes on here. */
export async function steerJob(
  context: Context,
  what: Steering,
  place: string,
  options: JsonOption,
): Promise<ExitCode | void> {
  if (isFolderName(place)) {
    if (what !== "cancel") return runAgain(context, place, what, options)
    const message = `'${printable(place)}' is a folder: a run of this machine ends with Ctrl-C in its terminal.`
    throw new AssayError("bad_usage", message)
  }
  await print(context, options, await steer(context, what, place), ({ id, status }) => `${id}: ${status}\n`)
}

function steer(context: Context, what: Steering, id: string): Promise<EvaluationJob> {
  const { jobs } = openClient(context).evaluation
  const { signal } = context
  if (what === "cancel") return jobs.cancel(id, { signal })
  return what === "resume" ? jobs.resume(id, { signal }) : jobs.retryFailed(id, { signal })
}
