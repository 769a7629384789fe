import { resolve } from "node:path"
import { isLocalPlace } from "@assay/evaluation"
import { AssayError } from "@assay/schemas/errors"
import type { Context } from "../../../context.ts"
import type { ExitCode } from "../../../exit-code.ts"
import { printable } from "../../../output/printable.ts"
import type { OpenedEvaluationFile } from "../file/evaluation-file.ts"
import { readEvaluationFile } from "../file/read-evaluation-file.ts"
import { checkGateNames } from "./check-gate-names.ts"
import { parseGate } from "./parse-gate.ts"
import { runHere } from "./run-here.ts"
import { overridesOf, type EvalRunOptions } from "./eval-run-options.ts"
import { runOnServer } from "./run-on-server.ts"
import { watchRuns } from "./watch-runs.ts"

/** `assay eval run <file>`: in this process, or on the server that is named. The answer is no where the job or a gate fails. */
export async function runEvaluationFile(given: Context, name: string, options: EvalRunOptions): Promise<ExitCode> {
  const context = withServer(given, options.server)
  const once = async (): Promise<ExitCode> => {
    const file = await readEvaluationFile(context, name)
    const gates = [...(file.content.gates ?? []), ...(options.gate ?? [])].map(parseGate)
    checkGateNames(gates, file.content)
    const out = outFolder(context, file, options.out)
    const common = { file, gates, out, overrides: overridesOf(options), json: options.json, junit: options.junit }
    if (options.local !== true && hasServer(context))
      return runOnServer(context, { ...common, skipChecks: options.skipChecks })
    if (out === undefined && file.content.output !== undefined) throw servedOutput(file)
    const { dataDir, skipChecks, fresh } = options
    return runHere(context, { ...common, dataFolder: resolve(context.cwd, dataDir), skipChecks, fresh })
  }
  return options.watch === true ? watchRuns(context, name, once, options) : once()
}

/** The same context with another server, where one is named. */
export function withServer(context: Context, server: string | undefined): Context {
  return server === undefined ? context : { ...context, env: { ...context.env, ASSAY_URL: server } }
}

function hasServer({ env }: Pick<Context, "env">): boolean {
  return (env["ASSAY_URL"] ?? "") !== ""
}

function servedOutput({ name, content }: OpenedEvaluationFile): AssayError {
  const output = printable(content.output ?? "")
  const message = `${name} sends its results to '${output}', which is a server's: give --server (or set ASSAY_URL), or --out.`
  return new AssayError("bad_usage", message)
}

/** `--out`, or the folder that the file names; an `output` of another form is for the server. */
function outFolder({ cwd }: Context, { folder, content }: OpenedEvaluationFile, out?: string): string | undefined {
  if (out !== undefined) return resolve(cwd, out)
  const { output } = content
  return output !== undefined && isLocalPlace(output) ? resolve(folder, output) : undefined
}
