import { locateFaults, servedFiles } from "@assay/local"
import { createProgressReporter } from "@assay/reports/terminal"
import { type EvaluationJob, printable } from "@assay/schemas"
import type { Context } from "../../../context.ts"
import { openClient } from "../../../open-client.ts"
import { keyVariables } from "../../guard/inference-key.ts"
import { print } from "../../print.ts"
import { checkServedJob } from "../check-served-job.ts"
import type { RescoreCommandOptions } from "./rescore-results.ts"
import { readEvaluation } from "../file/read-evaluation.ts"

/** Launches a job on the server for each source, which scores its outputs, and prints the jobs. Jobs before one that is refused are launched. */
export async function rescoreOnServer(
  context: Context,
  sources: readonly string[],
  options: RescoreCommandOptions,
): Promise<void> {
  for (const source of sources) checkServedJob(context, source, "add --out and a folder for the results")
  const { home, signal } = context
  const reporter = createProgressReporter(context, options)
  const [file] = await readEvaluation(context, options.with, options)
  const server = openClient(context)
  const say = (text: string) => reporter.say(text)
  const given = { server, keys: keyVariables(context), home, say, skipChecks: options.skipChecks === true, signal }
  const launched: EvaluationJob[] = []
  try {
    for (const id of sources) {
      const source = await server.evaluation.jobs.get(id, { signal })
      const job = await servedFiles.rescore(file, source, given).catch((error: unknown) => {
        throw locateFaults.inRefusal(error, file.document)
      })
      launched.push(job)
    }
  } finally {
    if (launched.length > 0) await print(context, options, { object: "list", data: launched }, formatLaunched)
  }
}

function formatLaunched({ data }: { readonly data: readonly EvaluationJob[] }): string {
  const lines = data.map(
    ({ id, status, rescored_from: from = "" }) =>
      `launched ${id} (${status}), which scores the outputs of ${printable(from)}\n    assay eval watch ${id}\n`,
  )
  return lines.join("")
}
