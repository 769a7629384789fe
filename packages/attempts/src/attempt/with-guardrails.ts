import { earlyGates, type JobEnvironment } from "@assay/evaluation"
import { guardrailReports } from "@assay/results"
import type { RunOutcome } from "./job-progress.ts"

type ReportsInput = Parameters<typeof guardrailReports.read>[0]

/** Adds what the reports about judges say to the outcome of a job: their conditions, and the limits of a calibration as gates. */
export async function withGuardrails(
  ended: RunOutcome,
  { environment, ...input }: ReportsInput & { readonly environment: Pick<JobEnvironment, "now"> },
): Promise<RunOutcome> {
  const found = await guardrailReports.read(input, environment.now)
  const { progress, conditions } = ended
  const gates = [...(progress.gates ?? []), ...found.gates.map(earlyGates.wholeState)]
  return {
    ...ended,
    progress: gates.length === 0 ? progress : { ...progress, gates },
    conditions: [...conditions, ...found.conditions],
  }
}
