import type { ProgramSandbox } from "@assay/harness"
import { AssayError } from "@assay/schemas"
import type { JobEnvironment } from "../../../job-environment.ts"

/** Opens the sandbox of programs of files. @throws `code_not_allowed` */
export async function openSandbox(
  { openProgramSandbox: open }: Pick<JobEnvironment, "openProgramSandbox">,
  signal: AbortSignal,
): Promise<ProgramSandbox> {
  if (open !== undefined) return open(signal)
  const why = "Programs of evaluation files run only in a sandbox, and this process has none."
  throw new AssayError("code_not_allowed", why)
}

/** Checks at a launch that there is a sandbox. A replay runs nothing. @throws `code_not_allowed` */
export async function checkSandbox(environment: JobEnvironment, signal: AbortSignal): Promise<void> {
  if (environment.recording?.isReplayOnly !== true) await openSandbox(environment, signal)
}

const refuse = () => Promise.reject(new AssayError("internal", "A program was to run without a sandbox; report it."))
/** For tools without programs, and for a replay, which runs nothing. */
export const NO_SANDBOX: ProgramSandbox = { run: refuse, open: refuse, takeSlot: refuse }
