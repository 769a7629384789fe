import { AssayError } from "@assay/schemas"
import type { HarnessPorts } from "../harness-ports.ts"
import { runCommand } from "../run-command.ts"
import { type ProgramSandbox, runsOf } from "./program-sandbox.ts"
import { type ContainerPorts, type ContainerTool, runContainer } from "./run-container.ts"

interface ContainerSettings extends Omit<ContainerPorts, "tool">, Pick<HarnessPorts, "inference"> {
  /** Undefined: this machine has none. */
  readonly tool: ContainerTool | undefined
}

/** Until docker or podman says whether it can start containers. */
const CHECK_MS = 15_000
/** Characters of its reason that are shown. */
const MAX_SHOWN = 300

/**
 * Opens what runs programs of evaluation files in containers of an image.
 * @throws `code_not_allowed` if there is neither docker nor podman, or if the one that is there can't start containers
 */
export async function openContainerPrograms(
  { tool, inference, ...ports }: ContainerSettings,
  image: string,
  signal: AbortSignal,
): Promise<Pick<ProgramSandbox, "run">> {
  const what = `An agent runs in a container of '${image.slice(0, 200)}'`
  if (tool === undefined) {
    const why = `${what}, and neither docker nor podman is on the PATH`
    throw new AssayError("code_not_allowed", `${why}: install one of them, or leave 'image' out.`)
  }
  const reason = await whyUnready(tool, signal)
  if (reason !== undefined) {
    const remedy = `get '${tool.kind} ${checkOf(tool)}' to work for this user, or leave 'image' out`
    throw new AssayError("code_not_allowed", `${what}, and ${tool.path} can't start one: ${reason}; ${remedy}.`)
  }
  return runsOf((program, options) => runContainer({ ...program, image }, { ...ports, tool }, options), {
    inference,
    elapsed: ports.elapsed,
  })
}

/** The command that fails without the daemon of docker, or without what podman needs. */
function checkOf({ kind }: ContainerTool): string {
  return kind === "docker" ? "version" : "info"
}

/** Returns why no container can be started. Undefined: nothing speaks against it. */
async function whyUnready(tool: ContainerTool, signal: AbortSignal): Promise<string | undefined> {
  let last = ""
  const end = await runCommand({
    command: [tool.path, checkOf(tool)],
    folder: "/",
    variables: tool.variables,
    timeLimitMs: CHECK_MS,
    graceMs: 0,
    signal,
    onLine(line, stream) {
      if (stream === "stderr" && line.trim() !== "") last = line.trim().slice(0, MAX_SHOWN)
    },
  })
  if (end.kind === "exited" && end.code === 0) return undefined
  signal.throwIfAborted()
  if (end.kind === "too-slow") return `it did not answer within ${CHECK_MS / 1000} s`
  if (end.kind === "not-started") return end.reason
  return last === "" ? "it failed without a reason" : last.replace(/[.?]+$/, "")
}
