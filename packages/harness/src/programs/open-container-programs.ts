import { AssayError } from "@assay/schemas"
import type { HarnessPorts } from "../harness-ports.ts"
import { type ProgramSandbox, runsOf } from "./program-sandbox.ts"
import { type ContainerPorts, type ContainerTool, runContainer } from "./run-container.ts"

interface ContainerSettings extends Omit<ContainerPorts, "tool">, Pick<HarnessPorts, "inference"> {
  /** Undefined: this machine has none. */
  readonly tool: ContainerTool | undefined
}

/**
 * Opens what runs programs of evaluation files in containers of an image.
 * @throws `code_not_allowed` if there is neither docker nor podman
 */
export function openContainerPrograms(
  { tool, inference, ...ports }: ContainerSettings,
  image: string,
): Pick<ProgramSandbox, "run"> {
  if (tool === undefined) {
    const why = `An agent runs in a container of '${image.slice(0, 200)}', and neither docker nor podman is on the PATH`
    throw new AssayError("code_not_allowed", `${why}: install one of them, or leave 'image' out.`)
  }
  return runsOf((program, options) => runContainer({ ...program, image }, { ...ports, tool }, options), {
    inference,
    elapsed: ports.elapsed,
  })
}
