import { availableParallelism } from "node:os"
import type { ApiEndpoint, HarnessLimits } from "@assay/schemas"
import pLimit from "p-limit"
import { readFileBelow } from "../read-file-below.ts"
import type { ToolServer, ToolServerOptions } from "./open-tool-server.ts"
import { type Program, type ProgramEnd, type ProgramOptions, type ProgramPorts, runProgram } from "./run-program.ts"

/** One run of a program that reads a text and writes another one. */
export interface ProgramCall extends Program {
  /** The text of its standard input. */
  readonly input: string
  readonly timeLimitMs: number
  /** Default: 1 GiB of memory, 64 processes and 256 MiB on disk. */
  readonly limits?: HarnessLimits | undefined
  /** A file in its working folder that is read instead of its standard output. */
  readonly outputFile?: string | undefined
  /** The endpoint that it may ask, at `ASSAY_TARGET_URL`; the key is added to its requests, and other models are refused. Absent: it has no network. */
  readonly endpoint?: { readonly target: ApiEndpoint; readonly key: string | undefined } | undefined
}

/** The output of a program, or why it failed. */
export type ProgramOutput =
  | { readonly ok: true; readonly output: string; readonly milliseconds: number }
  | Extract<ProgramEnd, { ok: false }>

/** Runs programs of evaluation files. */
export interface ProgramSandbox {
  /**
   * Runs a program to its end. At most one for each processor runs at a time, besides those that ask an endpoint and so mostly wait.
   * @throws `harness_failed` if the sandbox can't be started, or if `outputFile` can't be read
   */
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

const OUTPUT_FILE = { maxBytes: MAX_OUTPUT, advice: "have the program write its answer there" }

export function createProgramSandbox(ports: ProgramPorts): ProgramSandbox {
  const slots = pLimit(MAX_SERVED)
  return {
    ...runsOf((program, options) => runProgram(program, ports, options), ports),
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

type RunsProgram = (program: Program, options: ProgramOptions) => Promise<ProgramEnd>
type RunPorts = Pick<ProgramPorts, "inference" | "elapsed">

/** Returns what runs programs to their end, wherever `runs` runs them. */
export function runsOf(runs: RunsProgram, ports: RunPorts): Pick<ProgramSandbox, "run"> {
  // So that time limits of programs do not depend on how many conversations are held.
  const inTurn = pLimit(availableParallelism())
  const toEnd = (call: ReachedCall, signal: AbortSignal) => runToEnd(call, { ...ports, runs }, signal)
  return {
    run: (call, signal) =>
      call.endpoint === undefined
        ? inTurn(() => toEnd(call, signal))
        : askingEndpoint(call, ports, (reached) => toEnd(reached, signal)),
  }
}

interface ReachedCall extends ProgramCall {
  readonly endpointSocket?: string | undefined
}

/** The key that a program sees instead of the real one. Many clients refuse to start without a key. */
const ADDED_KEY = "added-by-assay"

/** Runs a program with a proxy to its endpoint. */
async function askingEndpoint(
  call: ProgramCall,
  { inference }: RunPorts,
  run: (call: ReachedCall) => Promise<ProgramOutput>,
): Promise<ProgramOutput> {
  if (call.endpoint === undefined) return run(call)
  const { target, key } = call.endpoint
  // Imported late: it loads undici, which most programs do not need.
  const { openEndpointProxy } = await import("../sandbox/open-endpoint-proxy.ts")
  await using proxy = await openEndpointProxy({ endpoint: target, key, inference, isOneModel: true })
  const environment = {
    ASSAY_TARGET_URL: proxy.url,
    ASSAY_TARGET_MODEL: target.model_id,
    ASSAY_TARGET_API_KEY: ADDED_KEY,
    ...call.environment,
  }
  return await run({ ...call, environment, endpointSocket: proxy.socket })
}

async function runToEnd(
  { input, timeLimitMs, outputFile, limits, endpointSocket, ...program }: ReachedCall,
  { elapsed, runs }: RunPorts & { readonly runs: RunsProgram },
  signal: AbortSignal,
): Promise<ProgramOutput> {
  const decoder = new TextDecoder()
  let output = ""
  let file: string | undefined
  const started = elapsed()
  const end = await runs(program, {
    timeLimitMs,
    signal,
    limits,
    endpointSocket,
    ...(outputFile === undefined
      ? {}
      : { onEnded: async (folder) => void (file = await readFileBelow(folder, outputFile, OUTPUT_FILE)) }),
    onInput: (stdin) => void stdin.end(input),
    onOutput(bytes) {
      if (output.length > MAX_OUTPUT) return undefined
      output += decoder.decode(bytes, { stream: true })
      return output.length > MAX_OUTPUT ? `it wrote more than ${MAX_OUTPUT / 1024 / 1024} MiB` : undefined
    },
  })
  if (!end.ok) return end
  return { ok: true, output: file ?? output + decoder.decode(), milliseconds: elapsed() - started }
}
