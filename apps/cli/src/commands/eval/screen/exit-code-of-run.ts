import type { GateOutcome } from "@assay/evaluation"
import type { Condition, JobStatus } from "@assay/schemas"
import { EXIT, type ExitCode } from "../../../exit-code.ts"

/** 1 where the job did not complete or a gate failed, 3 where a gate can't be told or answers were empty, else 0. */
export function exitCodeOfRun(
  status: JobStatus,
  gates: readonly GateOutcome[],
  conditions: readonly Pick<Condition, "code">[] = [],
): ExitCode {
  if (status !== "COMPLETED" || gates.some(({ verdict }) => verdict === "FAIL")) return EXIT.no
  const isOpen = conditions.some(({ code }) => code === "empty_answers")
  return isOpen || gates.some(({ verdict }) => verdict === "INCONCLUSIVE") ? EXIT.inconclusive : EXIT.done
}
