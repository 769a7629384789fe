/** A program in Python. */
interface Program {
  readonly source: string
  readonly timeLimitMs: number
}

/** How a program ended. */
export type ProgramEnd =
  | { readonly kind: "finished" }
  | { readonly kind: "failed"; readonly error: string }
  | { readonly kind: "too-slow" }
  | { readonly kind: "over-limit"; readonly what: string }

/** Runs a program of a model where it can do no harm. @throws if it could not be started */
export type RunProgram = (program: Program, signal: AbortSignal) => Promise<ProgramEnd>
