import type { ProgramSandbox } from "@assay/harness"
import type { ToolProgram } from "./compile-tools.ts"
import type { WorkRecorder } from "./recorded-work.ts"
import { type AnsweredCall, answeredCall, type ReadCall, readReply } from "./tool-answer.ts"

export interface ScriptPorts {
  readonly sandbox: ProgramSandbox
  readonly recorder: WorkRecorder
}

export interface CallOptions {
  readonly repeat: number
  readonly signal: AbortSignal
}

type Outcome = { readonly output: string } | { readonly fault: string }

/** A program that took too long or crashed may work the next time. */
function kindOf({ output, fault }: Readonly<Record<string, unknown>>) {
  if (typeof output === "string") return "answer"
  return typeof fault === "string" ? "failure" : "unusable"
}

/**
 * Answers a call by a program that reads `{name, arguments, state}` and writes `{result}` or `{error}`. Equal calls with an equal state have one answer.
 * @throws `harness_failed` if the sandbox can't be started; `recording_missing`
 */
export async function answerOfScript(
  program: ToolProgram,
  { call, state }: { readonly call: ReadCall; readonly state: unknown },
  { sandbox, recorder }: ScriptPorts,
  { repeat, signal }: CallOptions,
): Promise<AnsweredCall> {
  const { command, files, environment, timeLimitMs } = program
  const input = JSON.stringify({ name: call.name, arguments: call.args, state })
  const of = {
    name: call.name,
    by: command.join(" "),
    on: { command, files, environment, timeLimitMs, input },
    repeat,
    kindOf,
  }
  const { milliseconds, ...outcome } = await recorder.keep<Outcome>(of, async () => {
    const end = await sandbox.run({ command, files, environment, timeLimitMs, input: `${input}\n` }, signal)
    return end.ok ? { output: end.output, milliseconds: end.milliseconds } : { fault: end.why, milliseconds: 0 }
  })
  const reply = "fault" in outcome ? { fault: outcome.fault } : readReply(outcome.output)
  return answeredCall(call, reply, state, { tookMs: milliseconds })
}
