import { nearestNames, printable } from "@assay/schemas"
import { AssayError, isAssayError } from "@assay/schemas/errors"
import type { Client } from "./create-client.ts"

/** How long the server may take to list names for an error. */
const PATIENCE_MS = 2000
/** Maximum number of names that are read. */
const MAX_NAMES = 1000

const FILESET = /^Fileset '([\w.@+-]+)' not found in workspace '([\w.@+-]+)'/
const FILE = /^File '(.+)' not found in fileset '([\w.@+-]+)\/([\w.@+-]+)'\.?$/

interface NearOptions {
  /** Opens the client that listed nothing under the name. */
  readonly openClient: () => Client
  readonly signal: AbortSignal
}

/** Adds to the error of a missing fileset or file of a server the names that are near it. Any other error is returned as it is. */
export async function withNearNames(error: unknown, { openClient, signal }: NearOptions): Promise<unknown> {
  if (!isAssayError(error, "not_found")) return error
  const near = await namesNear(error.message, {
    openClient,
    signal: AbortSignal.any([signal, AbortSignal.timeout(PATIENCE_MS)]),
  })
  if (near.length === 0) return error
  const hint = `Did you mean ${near.map((name) => `'${printable(name)}'`).join(" or ")}?`
  return new AssayError(error.code, `${error.message.replace(/\.?$/, ".")} ${hint}`, {
    context: error.context,
    cause: error,
  })
}

/** Returns no names if the server does not list them: an error is shown all the same. */
async function namesNear(message: string, { openClient, signal }: NearOptions): Promise<readonly string[]> {
  const [, name, workspace] = FILESET.exec(message) ?? []
  const [, path, holder, fileset] = FILE.exec(message) ?? []
  if (name === undefined && path === undefined) return []
  try {
    const client = openClient()
    if (workspace !== undefined && name !== undefined) {
      return nearestNames(name, await listFilesetNames(client, workspace, signal))
    }
    if (path === undefined || holder === undefined || fileset === undefined) return []
    const files = client.files.list(holder, fileset, {}, { signal })
    return nearestNames(path, await firstOf(files, (file) => file.path))
  } catch {
    return []
  }
}

/** Returns the names of the first 1,000 filesets of a workspace, among which a missing one is looked for. */
export function listFilesetNames(client: Client, workspace: string, signal: AbortSignal): Promise<string[]> {
  return firstOf(client.filesets.list(workspace, { page_size: 100 }, { signal }), ({ name }) => name)
}

async function firstOf<T>(items: AsyncIterable<T>, nameOf: (item: T) => string): Promise<string[]> {
  const names: string[] = []
  for await (const item of items) {
    if (names.push(nameOf(item)) >= MAX_NAMES) break
  }
  return names
}
