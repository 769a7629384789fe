import { AssayError, isAssayError, type ErrorCode, type StorageConfiguration } from "@assay/schemas"
import { probeStorage } from "@assay/storage"
import { openAt, type Place } from "../files/open-at.ts"
import type { RegistryContext } from "../registry-context.ts"

/** How a remote side refuses a configuration: whoever asks for the fileset can correct it. */
const REFUSALS: ReadonlySet<ErrorCode> = new Set([
  "upstream_refused",
  "upstream_gated",
  "upstream_misconfigured",
  "upstream_missing",
  "not_found",
])

/**
 * The configuration of a place with its revision resolved, once its remote side has shown that it serves it.
 * @throws `storage_not_usable` with the adapter's words, its code in `context.reason`; `upstream_timeout` where that
 * takes too long, and whatever else the adapter throws
 */
export async function openUsable(
  context: RegistryContext,
  place: Place,
  signal: AbortSignal | undefined,
): Promise<StorageConfiguration> {
  const limit = AbortSignal.timeout(context.checkStorageMs)
  const ending = signal === undefined ? limit : AbortSignal.any([signal, limit])
  try {
    const { storage, configuration } = await openAt(context, place, { signal: ending })
    await probeStorage(storage, ending)
    return configuration
  } catch (error) {
    signal?.throwIfAborted()
    if (limit.aborted) throw tooSlow(place, context, error)
    if (!isAssayError(error) || !REFUSALS.has(error.code)) throw error
    const why = { ...error.context, reason: error.code }
    throw new AssayError("storage_not_usable", error.message, { context: why, cause: error })
  }
}

function tooSlow({ configuration: { type } }: Place, { checkStorageMs }: RegistryContext, cause: unknown): AssayError {
  const message = `The ${type} storage did not show within ${checkStorageMs / 1000} s that it can be used; check its address and that it can be reached from the server.`
  return new AssayError("upstream_timeout", message, { context: { storage: type }, cause })
}
