import type { ProgramSandbox } from "@assay/harness"
import { AssayError, type ApiEndpoint, type ChatMessage } from "@assay/schemas"
import type { AskOptions } from "../ask.ts"
import type { AgentProgram, CompiledAgent } from "./compile-agent.ts"

/** The task of an agent for a row. */
export interface AgentTask {
  /** The text of the last message. */
  readonly task: string
  readonly messages: readonly ChatMessage[]
}

/** The output of an agent, or that it took too long. */
export type AgentReturn =
  | { readonly text: string; readonly milliseconds: number }
  | { readonly isTooSlow: true; readonly milliseconds: number }

/** Lets an agent do a task. @throws `harness_failed` if its program fails; the errors of its endpoint */
export type DoTask = (task: AgentTask, options: AskOptions) => Promise<AgentReturn>

interface ProgramPorts {
  readonly sandbox: Pick<ProgramSandbox, "run">
  /** The model that it may ask, with its key. Undefined: none. */
  readonly model: { readonly target: ApiEndpoint; readonly key: string | undefined } | undefined
}

/** Starts a program for each task. */
export function doByProgram(
  { outputFile, limits, command, files, environment }: AgentProgram,
  { timeLimitMs }: Pick<CompiledAgent, "timeLimitMs">,
  { sandbox, model }: ProgramPorts,
): DoTask {
  return async (task, { signal }) => {
    const input = `${JSON.stringify(task)}\n`
    const program = { command, files, environment }
    const end = await sandbox.run({ ...program, input, timeLimitMs, limits, outputFile, endpoint: model }, signal)
    if (end.ok) return { text: end.output, milliseconds: end.milliseconds }
    if (end.isTooSlow) return { isTooSlow: true, milliseconds: timeLimitMs }
    throw new AssayError("harness_failed", `The agent '${program.command.join(" ").slice(0, 100)}' failed: ${end.why}.`)
  }
}
