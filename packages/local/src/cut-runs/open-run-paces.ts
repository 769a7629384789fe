import { type SharedPaces, storedPaces } from "@assay/inference"
import { openEndpointPaces } from "@assay/registry"

export interface OpenRunPacesOptions {
  /** Address of the PostgreSQL database of a server. */
  readonly url: string
  /** Milliseconds since 1970, UTC. */
  readonly now: () => number
}

/** Opens the rates of endpoints in the database of a server, which its own jobs share, too. It is connected to with the first exchange. */
export function openRunPaces(options: OpenRunPacesOptions): { readonly paces: SharedPaces } & AsyncDisposable {
  const opened = openEndpointPaces(options)
  return { paces: storedPaces(opened), [Symbol.asyncDispose]: () => opened[Symbol.asyncDispose]() }
}
