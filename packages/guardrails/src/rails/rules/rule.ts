import { isAssayError, type ActivatedRail, type ChatMessage } from "@assay/schemas"
import type { RailOutcome } from "../rail.ts"
import type { DeclaredTools } from "./declared-tools.ts"

/** Checks JSON text against a JSON Schema, on a thread with limits of time and memory. Returns null if it is valid. */
export type CheckJson = (
  schema: Readonly<Record<string, unknown>>,
  text: string,
) => Promise<readonly { readonly pointer: string }[] | null>

/** The tools of a chat: which are declared, which were called, and what they returned. */
export interface ToolTraffic {
  readonly messages: readonly ChatMessage[]
  /** The answer. Null: there is none yet. */
  readonly response: ChatMessage | null
  readonly declared: DeclaredTools
}

/** A rail over tools. It asks nobody, so it has no policy: it passes or blocks. */
export interface ToolRail {
  readonly name: string
  run(traffic: ToolTraffic): Promise<RailOutcome>
}

/**
 * Returns the outcome of a rule, which gives the reason why it blocks, or null. A rule that can't decide blocks, with the words of
 * its failure: a schema that can't be compiled or takes too long.
 */
export async function runRule(
  name: string,
  rule: () => Promise<string | null>,
  now: () => number,
): Promise<RailOutcome> {
  const start = now()
  const reason = await rule().catch((error: unknown) => {
    if (isAssayError(error)) return error.message
    throw error
  })
  const rail: ActivatedRail = {
    name,
    status: reason === null ? "success" : "blocked",
    verdict: null,
    unreadable: null,
    policy: null,
    error: null,
    latency_ms: now() - start,
    usage: null,
    ...(reason === null ? {} : { reason }),
  }
  return { rail, finding: reason === null ? "safe" : "unsafe", failure: null, answers: [] }
}
