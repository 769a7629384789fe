import { queryDatabase } from "@assay/testkit"
import type { DatabaseOptions } from "../open-database.ts"

/** The connections of a PostgreSQL database that listen for notices. */
export interface ListeningConnections {
  /** Returns the ids of their processes. */
  list(): Promise<readonly unknown[]>
  /** Ends them, and waits until they have ended. */
  terminate(): Promise<void>
}

const LISTENING = "from pg_stat_activity where datname = current_database() and query like '%pg_backend_pid() as pid'"

export function listeningConnections(database: DatabaseOptions): ListeningConnections {
  if (database.kind !== "postgres") throw new Error("This needs PostgreSQL.")
  const { url } = database
  return {
    list: async () => (await queryDatabase(url, `select pid ${LISTENING}`)).map(({ pid }) => pid),
    terminate: async () => void (await queryDatabase(url, `select pg_terminate_backend(pid, 30000) ${LISTENING}`)),
  }
}
