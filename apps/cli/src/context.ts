import type { jobFormats } from "@assay/results"
import type { Readable, Writable } from "node:stream"
import type { Fetch } from "@assay/client"

/** Everything that a command uses of the process and the machine. Created by `main.ts` or by a test. */
export interface Context {
  readonly env: Readonly<Record<string, string | undefined>>
  readonly cwd: string
  readonly platform: NodeJS.Platform
  readonly home: string
  /** Version of Node, such as `24.21.0`. */
  readonly nodeVersion: string
  /** Number of processor cores that this process may use. */
  readonly cores: number
  readonly stdin: Readable & { setRawMode?: (raw: boolean) => unknown }
  readonly stdout: Writable
  readonly stderr: Writable
  /** Receives questions to the user, also if `--quiet` silences stderr. */
  readonly prompt: Writable
  /** Whether each stream is a terminal. */
  readonly isTerminal: { readonly stdin: boolean; readonly stdout: boolean; readonly stderr: boolean }
  /** Width of the terminal in characters. */
  readonly columns: () => number
  /** Milliseconds since 1970. */
  readonly now: () => number
  /** Returns a number from 0 up to 1. */
  readonly random: () => number
  readonly randomBytes: (size: number) => Uint8Array
  readonly sleep: (milliseconds: number, signal?: AbortSignal) => Promise<void>
  /** Makes the process collect garbage earlier. For commands that run for a long time. */
  readonly keepHeapSmall: () => void
  /** The words that start this program. Default: those that started this process. */
  readonly program?: readonly string[]
  /** Sends requests to the server. Default: one that is created on first use. */
  readonly fetch?: Fetch
  /** Receives results that `--json` would print, to print several as one document. Default: they are printed. */
  readonly keepResult?: (result: unknown) => void
  /** Receives what `--junit` would write, to write several jobs to one file. Default: each replaces the file. */
  readonly keepJunit?: (job: Parameters<typeof jobFormats.junit>[0][number]["input"]) => Promise<void>
  /** Receives what `--summary` would write to a file of its own, as `keepJunit` does. */
  readonly keepSummary?: (text: string) => Promise<void>
  /** With `--verbose`: returns a `fetch` that prints each request. The causes of errors are printed, too. */
  readonly traced?: (fetch: Fetch) => Fetch
  /** Aborts on Ctrl-C. */
  readonly signal: AbortSignal
}
