import { KEY_SECRET_PREFIX } from "@assay/job-store"
import { secretsNamedIn } from "@assay/schemas"
import { type EvaluationJobTable, readPages } from "@assay/database"
import type { RegistryContext } from "../registry-context.ts"
import { findSecretUses } from "./secret-uses.ts"

/** A name with a generated id. A secret that a user gave a similar name is not matched. */
const MADE = /^eval-key-[1-9A-HJ-NP-Za-km-z]{16,22}$/

/** Milliseconds. A launch creates its secrets before its job, so younger secrets are kept. */
const LAUNCHING_MS = 3_600_000

type SweepContext = Pick<RegistryContext, "database" | "defaultStorage" | "now">

/**
 * Removes the secrets that were made from inline keys of jobs that are gone. Secrets of older releases have no owner: each
 * of them gets the only job that names it as its owner, or is removed if nothing names it.
 */
export async function sweepKeySecrets(context: SweepContext, signal: AbortSignal): Promise<void> {
  const { database, now } = context
  const before = now() - LAUNCHING_MS
  await database.write((queries) =>
    queries
      .deleteFrom("secrets")
      .where("owner", "!=", "")
      .where("created_at", "<", before)
      .where((row) =>
        row.not(
          row.exists(
            row.selectFrom("evaluation_jobs").select("id").whereRef("evaluation_jobs.id", "=", "secrets.owner"),
          ),
        ),
      )
      .execute(),
  )
  const unowned = await database.read((queries) =>
    queries
      .selectFrom("secrets")
      .select(["workspace", "name"])
      .where("owner", "=", "")
      .where("name", "like", `${KEY_SECRET_PREFIX}%`)
      .where("description", "=", "")
      .where("created_at", "<", before)
      .execute(),
  )
  if (unowned.length === 0) return
  const holders = await jobsByReference(context, signal)
  for (const { workspace, name } of unowned) {
    signal.throwIfAborted()
    if (!MADE.test(name)) continue
    const jobs = [...(holders.get(`${workspace}/${name}`) ?? [])]
    const [first] = jobs
    const isElsewhere = (await usedElsewhere(context, { workspace, name })) || jobs.length > 1
    if (isElsewhere) continue
    await database.write(async (queries) => {
      const one = { workspace, name, owner: "" }
      if (first === undefined) {
        await queries
          .deleteFrom("secrets")
          .where((row) => row.and(one))
          .execute()
      } else {
        await queries
          .updateTable("secrets")
          .set({ owner: first })
          .where((row) => row.and(one))
          .execute()
      }
    })
  }
}

async function usedElsewhere(context: SweepContext, secret: { workspace: string; name: string }): Promise<boolean> {
  for await (const { kind } of findSecretUses(context, secret)) if (kind !== "evaluation job") return true
  return false
}

/** Finds the jobs that name secrets made from inline keys, including jobs that have ended. */
async function jobsByReference(
  { database }: SweepContext,
  signal: AbortSignal,
): Promise<ReadonlyMap<string, ReadonlySet<string>>> {
  const holders = new Map<string, Set<string>>()
  const pages = readPages<Pick<EvaluationJobTable, "id" | "namespace" | "target" | "config">>((last, limit) =>
    database.read((queries) =>
      queries
        .selectFrom("evaluation_jobs")
        .select(["id", "namespace", "target", "config"])
        .where("id", ">", last?.id ?? "")
        .orderBy("id")
        .limit(limit)
        .execute(),
    ),
  )
  for await (const rows of pages) {
    for (const { id, namespace: ownWorkspace, target, config } of rows) {
      signal.throwIfAborted()
      if (!target.includes(KEY_SECRET_PREFIX) && !config.includes(KEY_SECRET_PREFIX)) continue
      for (const { workspace, name } of secretsNamedIn([JSON.parse(target), JSON.parse(config)], ownWorkspace)) {
        const address = `${workspace}/${name}`
        holders.set(address, (holders.get(address) ?? new Set()).add(id))
      }
    }
  }
  return holders
}
