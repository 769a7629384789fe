import { AssayError, isAssayError } from "@assay/schemas"
import type { HarnessPorts } from "../harness-ports.ts"
import type { HarnessSandbox } from "../sandbox/harness-sandbox.ts"
import { createProgramRunner, type RunProgram } from "./run-code.ts"

export interface ProgramSettings extends Pick<HarnessPorts, "workFolder" | "newId" | "harnessLimits"> {
  /** Opens the sandbox. Undefined: there is none, and programs can't run. @throws `bad_settings` */
  readonly openSandbox: (() => Promise<HarnessSandbox>) | undefined
  /** Why there is no sandbox, and what to do, if `openSandbox` is undefined. */
  readonly advice?: string
  readonly elapsed: () => number
}

const PROBE_MS = 20_000

/**
 * Opens what runs programs of models, and runs an empty one. Programs never run without a sandbox.
 * @throws `code_not_allowed` with the reason if there is no sandbox, or no Python in it
 */
export async function openProgramRunner(
  { openSandbox, advice = "this process was given none", ...ports }: ProgramSettings,
  signal: AbortSignal,
): Promise<RunProgram> {
  if (openSandbox === undefined) throw refused(advice)
  try {
    const run = createProgramRunner({ ...ports, sandbox: await openSandbox() })
    const end = await run({ source: "", timeLimitMs: PROBE_MS }, signal)
    if (end.kind === "finished") return run
    throw refused(`an empty Python program did not end in it (${end.kind})`)
  } catch (error) {
    const isRefusal = isAssayError(error, "bad_settings") || isAssayError(error, "harness_failed")
    throw isRefusal ? refused(reasonOf(error)) : error
  }
}

/** Returns why there is no sandbox, without the advice for harnesses: they may run without one, and programs of models never do. */
export function reasonOf({ message, context: { faults } }: AssayError): string {
  return Array.isArray(faults) ? faults.join("; ") : message.replace(/\.$/, "")
}

function refused(reason: string): AssayError {
  return new AssayError("code_not_allowed", `Programs of models run only in a sandbox, and there is none: ${reason}.`)
}
