import type { Client } from "@assay/client"
import type { Static, TObject } from "@sinclair/typebox"

/** The services that a call of a tool uses. */
export interface ToolContext {
  /** Calls the server with the rights of the caller. */
  readonly client: Client
  /** The workspace of calls that name none. */
  readonly workspace: string
  readonly sleep: (milliseconds: number, signal?: AbortSignal) => Promise<void>
  /** Aborts when the caller cancels the call. */
  readonly signal: AbortSignal
}

/** Reads only; asks models, which costs, but stores nothing; or creates a record. No tool changes or deletes anything. */
export type ToolEffect = "reads" | "asks" | "creates"

interface ToolOf<Input extends TObject, Output extends TObject> {
  /** In snake case, as assistants write it. */
  readonly name: string
  readonly title: string
  /** Its result and when to use it, for an assistant. */
  readonly description: string
  readonly input: Input
  readonly output: Output
  readonly effect: ToolEffect
  /** Returns the answer. It is bounded in size. @throws an `AssayError`, which becomes an error of the tool */
  run(input: Static<Input>, context: ToolContext): Promise<Static<Output>>
}

/** A tool whose input was checked against its schema. */
export type Tool = ToolOf<TObject, TObject>

/** Returns a tool as one of the list of all tools. */
export function defineTool<Input extends TObject, Output extends TObject>(tool: ToolOf<Input, Output>): Tool {
  return { ...tool, run: (input, context) => tool.run(input, context) }
}
