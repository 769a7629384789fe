import { checkGates, type GateOutcome } from "@assay/evaluation"
import type { EvaluationResult } from "@assay/schemas"
import type { Context } from "../../../context.ts"
import type { ExitCode } from "../../../exit-code.ts"
import { isFolderName } from "../../../is-folder-name.ts"
import { openClient } from "../../../open-client.ts"
import type { JsonOption } from "../../action.ts"
import { print } from "../../print.ts"
import { parseGate } from "../run/parse-gate.ts"
import { exitCodeOfRun } from "../screen/exit-code-of-run.ts"
import { formatGates, formatResult } from "../screen/format-result.ts"
import { readResultsFolder } from "./read-results-folder.ts"

export interface ResultsOptions extends JsonOption {
  readonly gate?: readonly string[]
}

/** `assay eval results <job>`: the scores of a job or of a folder; the answer is no where a gate fails. */
export async function showResults(context: Context, place: string, options: ResultsOptions): Promise<ExitCode> {
  const limits = (options.gate ?? []).map(parseGate)
  const result = await resultOf(context, place)
  const gates = checkGates(result, limits)
  const shown = limits.length === 0 ? result : { ...result, gates }
  await print(context, options, shown, () => formatAll(result, gates))
  return exitCodeOfRun({ status: "COMPLETED", gates })
}

async function resultOf(context: Context, place: string): Promise<EvaluationResult> {
  if (isFolderName(place)) return (await readResultsFolder(context, place)).result
  return openClient(context).evaluation.jobs.result(place, { signal: context.signal })
}

function formatAll(result: EvaluationResult, gates: readonly GateOutcome[]): string {
  return formatResult(result) + (gates.length === 0 ? "" : `\n${formatGates(gates)}`)
}
