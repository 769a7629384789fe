import type { ModelAnalysis, ModelSpec } from "@assay/schemas"
import type { UpdateQueryBuilder, UpdateResult } from "kysely"
import { changeTime } from "../database/change-time.ts"
import type { Queries } from "../database/database.ts"
import { readDatabaseTime } from "../database/database-time.ts"
import type { Tables } from "../database/tables.ts"
import type { RegistryContext } from "../registry-context.ts"

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
