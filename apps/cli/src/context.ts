import type { Readable, Writable } from "node:stream"
import type { Fetch } from "@assay/client"

/** Everything that a command takes from the machine around it; made in `main.ts`, or by a test. */
export interface Context {
  readonly env: Readonly<Record<string, string | undefined>>
  readonly cwd: string
  readonly platform: NodeJS.Platform
  readonly home: string
  /** Of Node, such as `24.21.0`. */
  readonly nodeVersion: string
  /** Processor cores that this process may use. */
  readonly cores: number
  readonly stdin: Readable & { setRawMode?: (raw: boolean) => unknown }
  readonly stdout: Writable
  readonly stderr: Writable
  /** Which of the three is a terminal. */
  readonly isTerminal: { readonly stdin: boolean; readonly stdout: boolean; readonly stderr: boolean }
  /** Width of the terminal in characters. */
  readonly columns: () => number
  /** Milliseconds since 1970. */
  readonly now: () => number
  /** From 0 up to 1. */
  readonly random: () => number
  readonly randomBytes: (size: number) => Uint8Array
  readonly sleep: (milliseconds: number, signal?: AbortSignal) => Promise<void>
  /** Has the process look for garbage earlier; for commands that go on for long. */
  readonly keepHeapSmall: () => void
  /** How the server is asked; made on first use where it is absent. */
  readonly fetch?: Fetch
  /** Aborts on Ctrl-C. */
  readonly signal: AbortSignal
}
