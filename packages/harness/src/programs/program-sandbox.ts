import { availableParallelism } from "node:os"
import pLimit from "p-limit"
import type { ToolServer, ToolServerOptions } from "./open-tool-server.ts"
import { type Program, type ProgramEnd, type ProgramPorts, runProgram } from "./run-program.ts"

/** One run of a program that reads a text and writes another one. */
export interface ProgramCall extends Program {
  /** What it reads from its standard input. */
  readonly input: string
  readonly timeLimitMs: number
}

/** What a program wrote to its standard output, or why it failed. */
export type ProgramOutput =
  | { readonly ok: true; readonly output: string; readonly milliseconds: number }
  | Extract<ProgramEnd, { ok: false }>

/** Runs programs of evaluation files. */
export interface ProgramSandbox {
  /** Runs a program to its end. At most one for each processor runs at a time. @throws `harness_failed` if the sandbox can't be started */
  run(call: ProgramCall, signal: AbortSignal): Promise<ProgramOutput>
  /** Starts a server of tools. @throws `harness_failed` if the sandbox can't be started */
  open(program: Program, options: ToolServerOptions): Promise<ToolServer>
  /** Waits until a conversation may have servers. The returned function lets the next one have some. @throws the reason of the signal */
  takeSlot(signal: AbortSignal): Promise<() => void>
}

/** Conversations that have servers at a time. */
const MAX_SERVED = 16

/** Characters that a program may write, several times what a model gets of them. */
const MAX_OUTPUT = 8 * 1024 * 1024

export function createProgramSandbox(ports: ProgramPorts): ProgramSandbox {
  // So that time limits of programs do not depend on how many conversations are held.
  const inTurn = pLimit(availableParallelism())
  const slots = pLimit(MAX_SERVED)
  return {
    run: (call, signal) => inTurn(() => runToEnd(call, ports, signal)),
    async open(program, options) {
      // Imported late: the client of the protocol is large, and few files have a server.
      const { openToolServer } = await import("./open-tool-server.ts")
      return openToolServer(program, ports, options)
    },
    takeSlot: (signal) =>
      new Promise((resolve, reject) => {
        const abort = () => reject(signal.reason as Error)
        signal.addEventListener("abort", abort, { once: true })
        void slots(async () => {
          signal.removeEventListener("abort", abort)
          if (!signal.aborted) await new Promise<void>((release) => resolve(release))
        })
      }),
  }
}

async function runToEnd(
  { input, timeLimitMs, ...program }: ProgramCall,
  ports: ProgramPorts,
  signal: AbortSignal,
): Promise<ProgramOutput> {
  const decoder = new TextDecoder()
  let output = ""
  const started = ports.elapsed()
  const end = await runProgram(program, ports, {
    timeLimitMs,
    signal,
    onInput: (stdin) => void stdin.end(input),
    onOutput(bytes) {
      if (output.length > MAX_OUTPUT) return undefined
      output += decoder.decode(bytes, { stream: true })
      return output.length > MAX_OUTPUT ? `it wrote more than ${MAX_OUTPUT / 1024 / 1024} MiB` : undefined
    },
  })
  if (!end.ok) return end
  return { ok: true, output: output + decoder.decode(), milliseconds: ports.elapsed() - started }
}
