import { readDatabaseTime, type Queries } from "@assay/database"
import type { RegistryContext } from "../registry-context.ts"

/** The rates at which all servers of a database send requests to endpoints: one text for each endpoint and key. */
export interface EndpointPaces {
  /**
   * Changes the text of an endpoint and key, while no other server changes it. `work` has no effects, because it can run more than once. It gets
   * undefined if nothing is stored, and the time of the database in milliseconds. Its result `stored` replaces the text.
   * @param digest of the address and the key
   */
  change<T>(
    digest: string,
    work: (stored: string | undefined, now: number) => { readonly stored: string | undefined; readonly value: T },
  ): Promise<T>
}

/** Time without requests after which the stored pace of an endpoint is ignored. */
const KEPT_MS = 86_400_000

/** Stored digests that are remembered. Of others, a look costs one more read. */
const MAX_KNOWN = 10_000

export function createEndpointPaces(context: Pick<RegistryContext, "database" | "now">): EndpointPaces {
  const { database } = context
  /** Digests that have a row. */
  const known = new Set<string>()

  /** Reads without a lock: endpoints that limit nothing have no row, and are looked at often. */
  async function readTime(digest: string): Promise<number | undefined> {
    return database.read(async (queries) =>
      (await isStored(queries, digest)) ? undefined : readDatabaseTime(queries, context),
    )
  }

  async function lockPace(queries: Queries, digest: string): Promise<string | undefined> {
    const row = await queries
      .selectFrom("endpoint_paces")
      .select("pace")
      .where("digest", "=", digest)
      .modifyEnd(database.dialect.forUpdate)
      .executeTakeFirst()
    return row?.pace
  }

  async function insert(queries: Queries, digest: string): Promise<void> {
    const changed_at = await readDatabaseTime(queries, context)
    await queries
      .deleteFrom("endpoint_paces")
      .where("changed_at", "<", changed_at - KEPT_MS)
      .execute()
    await queries
      .insertInto("endpoint_paces")
      .values({ digest, pace: "", changed_at })
      .onConflict((conflict) => conflict.column("digest").doNothing())
      .execute()
  }

  return {
    async change(digest, work) {
      const now = known.has(digest) ? undefined : await readTime(digest)
      if (now !== undefined) {
        const { stored, value } = work(undefined, now)
        if (stored === undefined) return value
      }
      const changed = await database.write(
        async (queries) => {
          let pace = await lockPace(queries, digest)
          if (pace === undefined) {
            await insert(queries, digest)
            pace = await lockPace(queries, digest)
          }
          // After the lock, because another server may have held it for a while.
          const changed_at = await readDatabaseTime(queries, context)
          const { stored = "", value } = work(pace === "" ? undefined : pace, changed_at)
          await queries
            .updateTable("endpoint_paces")
            .set({ pace: stored, changed_at })
            .where("digest", "=", digest)
            .execute()
          return value
        },
        // A power cut may undo it: then the endpoint reports its limit again.
        { durable: false },
      )
      if (known.size >= MAX_KNOWN) known.clear()
      known.add(digest)
      return changed
    },
  }
}

async function isStored(queries: Queries, digest: string): Promise<boolean> {
  const row = await queries
    .selectFrom("endpoint_paces")
    .select("digest")
    .where("digest", "=", digest)
    .executeTakeFirst()
  return row !== undefined
}
