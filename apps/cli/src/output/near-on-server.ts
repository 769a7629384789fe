import { nearestNames, printable } from "@assay/schemas"
import { AssayError, isAssayError } from "@assay/schemas/errors"
import type { Context } from "../context.ts"
import { listFilesetNames } from "../fileset-of-server.ts"
import { openClient } from "../open-client.ts"

/** How long the server may take to list names for an error. */
const PATIENCE_MS = 2000
/** Maximum number of paths that are read. */
const MAX_PATHS = 1000

const FILESET = /^Fileset '([\w.@+-]+)' not found in workspace '([\w.@+-]+)'/
const FILE = /^File '(.+)' not found in fileset '([\w.@+-]+)\/([\w.@+-]+)'\.?$/

/** Adds to the error of a missing fileset or file of a server the names that are near it. Any other error is returned as it is. */
export async function withNearNames(error: unknown, context: Context): Promise<unknown> {
  if (!isAssayError(error, "not_found")) return error
  const near = await namesNear(error.message, context)
  if (near.length === 0) return error
  const hint = `Did you mean ${near.map((name) => `'${printable(name)}'`).join(" or ")}?`
  return new AssayError(error.code, `${error.message.replace(/\.?$/, ".")} ${hint}`, {
    context: error.context,
    cause: error,
  })
}

/** Returns no names if the server does not list them: an error is shown all the same. */
async function namesNear(message: string, context: Context): Promise<readonly string[]> {
  try {
    return await listNear(message, context)
  } catch {
    return []
  }
}

async function listNear(message: string, context: Context): Promise<readonly string[]> {
  const signal = AbortSignal.any([context.signal, AbortSignal.timeout(PATIENCE_MS)])
  const [, name, workspace] = FILESET.exec(message) ?? []
  if (workspace !== undefined && name !== undefined) {
    return nearestNames(name, await listFilesetNames(context, workspace, signal))
  }
  const [, path, holder, fileset] = FILE.exec(message) ?? []
  if (path === undefined || holder === undefined || fileset === undefined) return []
  const paths: string[] = []
  for await (const file of openClient(context).files.list(holder, fileset, {}, { signal })) {
    if (paths.push(file.path) >= MAX_PATHS) break
  }
  return nearestNames(path, paths)
}
