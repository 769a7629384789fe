import { setTimeout } from "node:timers/promises"
import { AssayError, type Model, type ModelAnalysis, type ModelSpec } from "@assay/schemas"
import type { UpdateQueryBuilder, UpdateResult } from "kysely"
import { readDatabaseTime, type Queries, type Tables, changeTime } from "@assay/database"
import type { RegistryContext } from "../registry-context.ts"

/** A running analysis of a model. Until it ends, no server can begin another one. */
export interface AnalysisRun {
  /** The record when the analysis began. */
  readonly model: Model
  /** Aborted if the model is removed or the registry is closed. */
  readonly signal: AbortSignal
  /** Ends the analysis with an outcome. If the model was removed, nothing is recorded. */
  keep(outcome: AnalysisOutcome): Promise<void>
  /** Ends the analysis without an outcome. The record then says that the server stopped. */
  drop(): Promise<void>
}

type RunContext = Pick<RegistryContext, "database" | "now" | "background">

/** Renews a lease until the run ends. */
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

  context.background.start("renew the lease of an analysis", async (closing) => {
    try {
      while (lease !== undefined) {
        await setTimeout(renewMs, undefined, { signal: AbortSignal.any([closing, ending.signal]) })
        // After a failure, the next renewal is early enough: the lease outlasts several intervals.
        renewing = renew(lease).catch(() => {})
        await renewing
      }
    } catch (error) {
      if (closing.aborted) lost.abort(closing.reason)
      else if (!ending.signal.aborted) throw error
    }
  })

  /** Returns the last lease. Undefined if it is lost, or was ended before. */
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

/** Milliseconds. After a crash of its server, an analysis counts as running for this time. */
export const ANALYSIS_LEASE_MS = 60_000

type LeaseContext = Pick<RegistryContext, "database" | "now">

/** The right of one server to analyse a model. No two leases of a model end at the same time, so the end identifies a lease. */
export interface AnalysisLease {
  readonly modelId: string
  readonly leasedUntil: number
}

/** The outcome of an analysis. */
export interface AnalysisOutcome {
  /** Null if the analysis failed. The record then keeps its specification. */
  readonly spec: ModelSpec | null
  readonly analysis: ModelAnalysis
}

/** Renews a lease for its whole time. Undefined if it is lost: it had ended, or its model is gone. */
export async function renewAnalysis(context: LeaseContext, lease: AnalysisLease): Promise<AnalysisLease | undefined> {
  return context.database.write(
    async (queries) => {
      const leasedUntil = Math.max((await readDatabaseTime(queries, context)) + ANALYSIS_LEASE_MS, lease.leasedUntil)
      const isHeld = await updateLeased(queries, lease, (row) => row.set({ leased_until: leasedUntil }))
      return isHeld ? { ...lease, leasedUntil } : undefined
    },
    { durable: false },
  )
}

/** Records the outcome of an analysis and ends its lease. Does nothing if the lease is lost. */
async function keepAnalysis(
  context: LeaseContext,
  lease: AnalysisLease,
  { spec, analysis }: AnalysisOutcome,
): Promise<void> {
  const found = spec === null ? {} : { spec: JSON.stringify(spec) }
  const kept = { ...found, analysis: JSON.stringify(analysis), leased_until: 0 }
  await context.database.write((queries) =>
    updateLeased(queries, lease, (row) => row.set({ ...kept, updated_at: changeTime(context.now()) })),
  )
}

/** Ends a lease without an outcome. The record then says that the server stopped. */
export async function dropAnalysis(context: LeaseContext, lease: AnalysisLease): Promise<void> {
  await context.database.write(async (queries) => {
    const time = await readDatabaseTime(queries, context)
    await updateLeased(queries, lease, (row) => row.set({ leased_until: time }))
  })
}

/** Ends all leases. For a database that no other server uses. */
export async function freeAnalyses({ database, now }: LeaseContext): Promise<void> {
  const time = now()
  await database.write((queries) =>
    queries.updateTable("models").set({ leased_until: time }).where("leased_until", ">", time).execute(),
  )
}

type ModelUpdate = UpdateQueryBuilder<Tables, "models", "models", UpdateResult>

async function updateLeased(
  queries: Queries,
  { modelId, leasedUntil }: AnalysisLease,
  change: (models: ModelUpdate) => ModelUpdate,
): Promise<boolean> {
  const { numUpdatedRows } = await change(queries.updateTable("models"))
    .where("id", "=", modelId)
    .where("leased_until", "=", leasedUntil)
    .executeTakeFirstOrThrow()
  return numUpdatedRows > 0n
}
