import { setTimeout } from "node:timers/promises"
import { AssayError, type Model, type ModelAnalysis, type ModelSpec } from "@assay/schemas"
import type { UpdateQueryBuilder, UpdateResult } from "kysely"
import { readDatabaseTime } from "../database/clock.ts"
import type { Queries } from "../database/database.ts"
import type { Tables } from "../database/tables.ts"
import { changeTime } from "../records/write-records.ts"
import type { RegistryContext } from "../registry-context.ts"

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

/** Milliseconds. An analysis whose server was killed counts as running for so long. */
export const ANALYSIS_LEASE_MS = 60_000

type LeaseContext = Pick<RegistryContext, "database" | "now">

/** That one server alone analyses a model. No two leases of a model end at the same time, so its end names a lease. */
export interface AnalysisLease {
  readonly modelId: string
  readonly leasedUntil: number
}

/** What an analysis came to. */
export interface AnalysisOutcome {
  /** Null where it failed: the record keeps the one that it has. */
  readonly spec: ModelSpec | null
  readonly analysis: ModelAnalysis
}

/** Lets a lease last for its whole time again. Undefined where it is lost: it had ended, or its model is gone. */
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

/** Keeps what an analysis came to, and ends its lease; nothing of that where it is lost. */
export async function keepAnalysis(
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

/** Ends a lease without an outcome: the record says that its server stopped. */
export async function dropAnalysis(context: LeaseContext, lease: AnalysisLease): Promise<void> {
  await context.database.write(async (queries) => {
    const time = await readDatabaseTime(queries, context)
    await updateLeased(queries, lease, (row) => row.set({ leased_until: time }))
  })
}

/** Ends what a server held that has gone: for a database that no other server can be at. */
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
