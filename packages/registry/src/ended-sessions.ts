import { slot, type Database } from "@assay/database"

/** The sessions of browsers that were signed out. All servers of a database share them. */
export interface EndedSessions {
  /** Ends a session. It is remembered until a time, in milliseconds since 1970, when all its cookies have expired. */
  end(id: string, until: number): Promise<void>
  isEnded(id: string): Promise<boolean>
}

/** Creates them. A session that ends removes those that no longer need to be remembered. */
export function createEndedSessions({
  database,
  now,
}: {
  readonly database: Database
  readonly now: () => number
}): EndedSessions {
  const found = database.prepare((queries) =>
    queries.selectFrom("ended_sessions").select("id").where("id", "=", slot<string>("id")),
  )
  return {
    async end(id, until) {
      await database.write(async (queries) => {
        await queries.deleteFrom("ended_sessions").where("until", "<", now()).execute()
        await queries
          .insertInto("ended_sessions")
          .values({ id, until })
          .onConflict((conflict) => conflict.column("id").doUpdateSet({ until }))
          .execute()
      })
    },
    isEnded: async (id) => (await found.run({ id })).length > 0,
  }
}
