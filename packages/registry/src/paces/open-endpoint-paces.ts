import { AssayError, messageOf } from "@assay/schemas"
import { type Database, mayRespondLater, openDatabase } from "@assay/database"
import { createEndpointPaces, type EndpointPaces } from "./endpoint-paces.ts"

export interface OpenPacesOptions {
  /** Address of the PostgreSQL database of a server. */
  readonly url: string
  /** Milliseconds since 1970, UTC. */
  readonly now: () => number
}

/** The paces of a database of which nothing else is asked. */
export interface OpenedPaces extends EndpointPaces, AsyncDisposable {}

/** One is used: engines start many processes. The other one is for notices, and nobody listens to them here. */
const CONNECTIONS = 2

/**
 * Opens the paces in the database of a server, over one connection, which is made with the first change. The schema is not migrated.
 * A change throws `bad_settings` if the database can't be used or its schema is not that of this version, and `unavailable` while it does not respond.
 */
export function openEndpointPaces({ url, now }: OpenPacesOptions): OpenedPaces {
  let opening: Promise<Opened> | undefined

  async function open(): Promise<Opened> {
    const database = await openDatabase({ kind: "postgres", url, maxConnections: CONNECTIONS }, () => {}, {
      guest: true,
    })
    return { database, paces: createEndpointPaces({ database, now }) }
  }

  function opened(): Promise<Opened> {
    opening ??= open().catch(async (error: unknown) => {
      opening = undefined
      throw await openFailure(error)
    })
    return opening
  }

  return {
    change: async (digest, work) => (await opened()).paces.change(digest, work),
    async [Symbol.asyncDispose]() {
      const last = await opening?.catch(() => undefined)
      await last?.database.close()
    },
  }
}

interface Opened {
  readonly database: Database
  readonly paces: EndpointPaces
}

/** Returns `unavailable` if the database may respond later. */
async function openFailure(error: unknown): Promise<unknown> {
  return (await mayRespondLater(error as { cause?: unknown }))
    ? new AssayError("unavailable", messageOf(error), { cause: error })
    : error
}
