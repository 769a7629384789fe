import type { Context } from "../context.ts"
import type { ExitCode } from "../exit-code.ts"

/** Runs a command. The exit code is 0 unless the action returns another one. */
export type Action<A extends readonly unknown[]> = (context: Context, ...args: A) => Promise<ExitCode | void>

/** Makes an action for the command line parser. The action is loaded when it runs, so that other commands start fast. */
export type Bind = <A extends readonly unknown[]>(load: () => Promise<Action<A>>) => (...args: A) => Promise<void>

/** Returns whether a command line names a noun, such as `eval`. The verbs of other nouns are not declared, which saves their time. */
export type IsNamed = (noun: string) => boolean

/** The option that every command has. */
export interface JsonOption {
  readonly json?: boolean
}

/** Options that every command has, beside `--json`. */
export interface GeneralOptions {
  /** The server to ask, which takes precedence over ASSAY_URL. */
  readonly server?: string
  /** Print no progress and no notes. */
  readonly quiet?: boolean
  /** Print requests and causes of errors. */
  readonly verbose?: boolean
}
