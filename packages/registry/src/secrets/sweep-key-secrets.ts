import { secretsNamedIn } from "@assay/schemas"
import type { RegistryContext } from "../registry-context.ts"
import { findSecretUses } from "./secret-uses.ts"
import { CHUNK, inParts } from "../records/read-in-parts.ts"

/** Begins the name of every secret that is made of a key in a body. */
export const KEY_SECRET_PREFIX = "eval-key-"

/** An id of ours: what users name in a similar way is theirs. */
const MADE = /^eval-key-[1-9A-HJ-NP-Za-km-z]{16,22}$/

/** A launch makes its secrets before its job. */
const LAUNCHING_MS = 3_600_000

type SweepContext = Pick<RegistryContext, "database" | "defaultStorage" | "now">

/**
 * Removes secrets that were made of keys in jobs' bodies, where the job is gone. Those of releases that did not keep the
 * owner are given to the one job that names them, or removed where nothing does.
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

/** The jobs, also those that have ended, that name a secret made of a key. */
async function jobsByReference(
  { database }: SweepContext,
  signal: AbortSignal,
): Promise<ReadonlyMap<string, ReadonlySet<string>>> {
  const holders = new Map<string, Set<string>>()
  const read = (after: string) =>
    database.read((queries) =>
      queries
        .selectFrom("evaluation_jobs")
        .select(["id", "namespace", "target", "config"])
        .where("id", ">", after)
        .orderBy("id")
        .limit(CHUNK)
        .execute(),
    )
  for await (const { id, namespace, target, config } of inParts(read, (row) => row.id)) {
    signal.throwIfAborted()
    if (!target.includes(KEY_SECRET_PREFIX) && !config.includes(KEY_SECRET_PREFIX)) continue
    for (const { workspace, name } of secretsNamedIn([JSON.parse(target), JSON.parse(config)], namespace)) {
      const address = `${workspace}/${name}`
      holders.set(address, (holders.get(address) ?? new Set()).add(id))
    }
  }
  return holders
}
