import type { Context } from "../context.ts"
import type { ExitCode } from "../exit-code.ts"

/** What a command does. Its exit code is 0 unless it answers with another one. */
export type Action<A extends readonly unknown[]> = (context: Context, ...args: A) => Promise<ExitCode | void>

/** Makes an action fit for the command line parser, which knows no context. */
export type Bind = <A extends readonly unknown[]>(action: Action<A>) => (...args: A) => Promise<void>

/** The option that every command has. */
export interface JsonOption {
  readonly json?: boolean
}
