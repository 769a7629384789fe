import { resolve } from "node:path"
import type { Context } from "../../../context.ts"
import type { ExitCode } from "../../../exit-code.ts"
import { openClient } from "../../../open-client.ts"
import type { JsonOption } from "../../action.ts"
import { checkOutFolder } from "../run/check-out-folder.ts"
import { parseGate } from "../run/parse-gate.ts"
import { createProgressTeller } from "../screen/progress-teller.ts"
import { followJob } from "./follow-job.ts"
import { tellEnd } from "./tell-end.ts"

export interface WatchOptions extends JsonOption {
  readonly gate?: readonly string[]
  readonly junit?: string
  readonly out?: string
}

/** `assay eval watch <job>`: shows a job until it has ended. The answer is no where it, or a gate, failed. */
export async function watchEvaluation(context: Context, id: string, options: WatchOptions): Promise<ExitCode> {
  const gates = (options.gate ?? []).map(parseGate)
  const { json, junit, out } = options
  const folder = out === undefined ? undefined : resolve(context.cwd, out)
  if (folder !== undefined) await checkOutFolder(folder)
  const client = openClient(context)
  await followJob(context, client, id, createProgressTeller(context, options))
  return tellEnd(context, client, id, { gates, junit, out: folder, json: json === true })
}
