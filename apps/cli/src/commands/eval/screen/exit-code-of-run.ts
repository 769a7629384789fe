import type { GateOutcome } from "@assay/evaluation"
import type { Condition, JobStatus } from "@assay/schemas"
import { EXIT, type ExitCode } from "../../../exit-code.ts"

/** 1 where the job did not complete or a gate failed, 3 where a gate can't be told or a condition puts the scores in doubt, else 0. */
export function exitCodeOfRun(
  status: JobStatus,
  gates: readonly GateOutcome[],
  conditions: readonly Condition[] = [],
): ExitCode {
  if (status !== "COMPLETED" || gates.some(({ verdict }) => verdict === "FAIL")) return EXIT.no
  return conditions.length > 0 || gates.some(({ verdict }) => verdict === "INCONCLUSIVE")
    ? EXIT.inconclusive
    : EXIT.done
}
