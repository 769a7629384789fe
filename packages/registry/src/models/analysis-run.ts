import { setTimeout } from "node:timers/promises"
import { AssayError, type Model } from "@assay/schemas"
import type { RegistryContext } from "../registry-context.ts"
import {
  ANALYSIS_LEASE_MS,
  dropAnalysis,
  keepAnalysis,
  renewAnalysis,
  type AnalysisLease,
  type AnalysisOutcome,
} from "./analysis-lease.ts"

/** The analysis of a model that has begun. As long as it has not ended, no other one begins, on no server. */
export interface AnalysisRun {
  /** The record when it began. */
  readonly model: Model
  /** Aborted when nobody needs it any more: the model was removed, or the registry is closed. */
  readonly signal: AbortSignal
  /** Ends it with an outcome. Where the model was removed meanwhile nothing is kept. */
  keep(outcome: AnalysisOutcome): Promise<void>
  /** Ends it without one: the record says that the server stopped. */
  drop(): Promise<void>
}

type RunContext = Pick<RegistryContext, "database" | "now" | "background">

/** Holds a lease until the run ends. */
export function createAnalysisRun(
  context: RunContext,
  model: Model,
  first: AnalysisLease,
  renewMs = ANALYSIS_LEASE_MS / 4,
): AnalysisRun {
  const ending = new AbortController()
  const lost = new AbortController()
  let lease: AnalysisLease | undefined = first
  let renewing: Promise<void> = Promise.resolve()

  async function renew(held: AnalysisLease): Promise<void> {
    lease = await renewAnalysis(context, held)
    if (lease !== undefined) return
    lost.abort(new AssayError("not_found", `Model '${model.workspace}/${model.name}' was removed`))
  }

  context.background.start("hold the lease of an analysis", async (closing) => {
    try {
      while (lease !== undefined) {
        await setTimeout(renewMs, undefined, { signal: AbortSignal.any([closing, ending.signal]) })
        // One that fails is made up for at the next turn: the lease outlasts several.
        renewing = renew(lease).catch(() => {})
        await renewing
      }
    } catch (error) {
      if (closing.aborted) lost.abort(closing.reason)
      else if (!ending.signal.aborted) throw error
    }
  })

  /** The lease as it was last; undefined where it is lost, or was ended before. */
  async function end(): Promise<AnalysisLease | undefined> {
    ending.abort()
    await renewing
    const last = lease
    lease = undefined
    return last
  }

  return {
    model,
    signal: lost.signal,
    async keep(outcome) {
      const last = await end()
      if (last !== undefined) await keepAnalysis(context, last, outcome)
    },
    async drop() {
      const last = await end()
      if (last !== undefined) await dropAnalysis(context, last)
    },
  }
}
