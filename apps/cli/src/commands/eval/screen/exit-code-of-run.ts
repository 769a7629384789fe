import type { GateOutcome } from "@assay/evaluation"
import type { JobStatus } from "@assay/schemas"
import { EXIT, type ExitCode } from "../../../exit-code.ts"

/** 1 where the job did not complete or a gate failed, 3 where a gate can't be told, else 0. */
export function exitCodeOfRun(status: JobStatus, gates: readonly GateOutcome[]): ExitCode {
  if (status !== "COMPLETED" || gates.some(({ verdict }) => verdict === "FAIL")) return EXIT.no
  return gates.some(({ verdict }) => verdict === "INCONCLUSIVE") ? EXIT.inconclusive : EXIT.done
}
