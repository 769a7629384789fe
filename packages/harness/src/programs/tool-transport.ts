import type { JSONRPCMessage, Transport } from "@modelcontextprotocol/client"
import { once } from "node:events"
import type { Writable } from "node:stream"
import { findJsonExcess, isJsonObject } from "@assay/json"
import { type AssayError, isAssayError } from "@assay/schemas"
import { type Program, type ProgramPorts, runProgram } from "./run-program.ts"

/** Seconds of a server: that of the longest conversation. */
const LIFE_MS = 24 * 3600 * 1000

/** Characters of one message. */
const MAX_MESSAGE = 8 * 1024 * 1024

/** A message beyond these ends its server: the client of the protocol reads messages recursively. */
const DEPTH = { depth: 128, parts: 200_000, values: 200_000, keys: 20_000 }

interface OpenedTransport {
  readonly transport: Transport
  /** Returns why the program has ended; undefined if it still runs. */
  readonly whyEnded: () => Promise<string | undefined>
  /** Whether the client has ended it, which says nothing about why. */
  readonly isClosing: () => boolean
  /** @throws why the sandbox could not be started, if it could not */
  readonly throwFailure: () => void
}

/** Opens the input and output of a program as a transport, with one message on each line. */
export function openTransport(program: Program, ports: ProgramPorts, signal: AbortSignal): OpenedTransport {
  const closing = new AbortController()
  let input: Writable | undefined
  let running: Promise<string> | undefined
  let failure: AssayError | undefined
  const transport: Transport = {
    start: () =>
      new Promise((resolve, reject) => {
        const lines = readMessages((message) => transport.onmessage?.(message))
        running = runProgram(program, ports, {
          timeLimitMs: LIFE_MS,
          signal: AbortSignal.any([signal, closing.signal]),
          onInput(stdin) {
            input = stdin
            resolve()
          },
          onOutput: lines,
        })
          .then((end) => (end.ok ? "the server ended" : end.why))
          .catch((error: unknown) => {
            if (isAssayError(error)) failure = error
            reject(error)
            return closing.signal.aborted ? "it was ended" : shortMessage(error)
          })
        void running.then(() => transport.onclose?.())
      }),
    async send(message) {
      const isWritten = input?.write(`${JSON.stringify(message)}\n`) ?? false
      if (!isWritten && input?.writable === true) await Promise.race([once(input, "drain"), running])
    },
    async close() {
      closing.abort()
      await running
    },
  }
  return {
    transport,
    async whyEnded() {
      // The end of a program is seen a moment after its output ends.
      const soon = new Promise<undefined>((resolve) => setTimeout(() => resolve(undefined), ENDING_MS))
      return running === undefined ? undefined : Promise.race([running, soon])
    },
    isClosing: () => closing.signal.aborted,
    throwFailure() {
      if (failure !== undefined) throw failure
    },
  }
}

const ENDING_MS = 500

/** Returns a reader of messages on lines. Lines that are not JSON objects are ignored, as programs write logs there by mistake. */
function readMessages(onMessage: (message: JSONRPCMessage) => void): (bytes: Uint8Array) => string | undefined {
  const decoder = new TextDecoder()
  let rest = ""
  return (bytes) => {
    const lines = (rest + decoder.decode(bytes, { stream: true })).split("\n")
    rest = lines.pop() ?? ""
    for (const line of lines) {
      if (line.length <= MAX_MESSAGE && findJsonExcess(line, DEPTH) !== undefined) {
        return "it wrote a message that is too deep or has too many values"
      }
      const message = line.length > MAX_MESSAGE ? undefined : parse(line)
      if (message !== undefined) onMessage(message)
    }
    return rest.length > MAX_MESSAGE ? `it wrote a message of more than ${MAX_MESSAGE / 1024 / 1024} MiB` : undefined
  }
}

function parse(line: string): JSONRPCMessage | undefined {
  try {
    const value: unknown = JSON.parse(line)
    return isJsonObject(value) ? (value as unknown as JSONRPCMessage) : undefined
  } catch {
    return undefined
  }
}

/** Characters of an error of the protocol that are shown. */
const MAX_SHOWN = 500

export function shortMessage(error: unknown): string {
  if (!(error instanceof Error)) return "it failed"
  return error.message.replace(/\s+/g, " ").replace(/\.$/, "").slice(0, MAX_SHOWN)
}
