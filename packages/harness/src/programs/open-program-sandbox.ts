import { AssayError, isAssayError } from "@assay/schemas"
import { reasonOf, type ProgramSettings } from "../code/open-program-runner.ts"
import type { HarnessPorts } from "../harness-ports.ts"
import { createProgramSandbox, type ProgramSandbox } from "./program-sandbox.ts"

/**
 * Opens what runs programs of evaluation files. They never run without a sandbox: the file can be that of a stranger.
 * @throws `code_not_allowed` with the reason if there is none
 */
export async function openProgramSandbox({
  openSandbox,
  advice = "this process was given none",
  ...ports
}: ProgramSettings & Pick<HarnessPorts, "inference">): Promise<ProgramSandbox> {
  if (openSandbox === undefined) throw refused(advice)
  try {
    return createProgramSandbox({ ...ports, sandbox: await openSandbox() })
  } catch (error) {
    throw isAssayError(error, "bad_settings") ? refused(reasonOf(error)) : error
  }
}

function refused(reason: string): AssayError {
  const what = "Programs of evaluation files run only in a sandbox, and there is none"
  return new AssayError("code_not_allowed", `${what}: ${reason}.`)
}
