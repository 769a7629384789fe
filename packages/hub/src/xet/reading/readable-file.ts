import { AssayError } from "@assay/schemas"
import type { XetFile } from "@assay/uploads"
import { countTerms } from "../format/file-terms.ts"
import type { XetStores } from "../xet-stores.ts"

/** Maximum number of terms of a file that is read as chunks: 1 TiB if it was sent at once. Others are read whole or in ranges. */
const MAX_TERMS = 16_384

/**
 * Returns the Xet hash of a content of the fileset, by its SHA-256. Undefined: it can't be read as chunks, because it was not sent as chunks,
 * its bytes are gone, it is empty, or it has too many terms.
 */
export async function findReadableHash(stores: XetStores, sha256: string): Promise<string | undefined> {
  const { xet, fileset } = stores
  const file = await xet.file(fileset, sha256, "readable")
  return file !== undefined && (await isReadable(stores, file)) ? file.hash : undefined
}

/** Returns a file that can be read as chunks, by its Xet hash: clients ask several times while they read it. @throws `not_found` */
export async function readableFile(stores: XetStores, hash: string): Promise<XetFile> {
  const { xet, fileset, repository } = stores
  const file = await xet.fileByHash(fileset, hash)
  if (file !== undefined && (await isReadable(stores, file))) return file
  const { ws, name } = repository
  throw new AssayError(
    "not_found",
    `No file of '${ws}/${name}' can be read as the chunks of ${hash}. Read it by its path.`,
  )
}

async function isReadable({ registry, repository: { ws, name } }: XetStores, file: XetFile): Promise<boolean> {
  const count = countTerms(file.terms)
  if (count === 0 || count > MAX_TERMS) return false
  return registry.revisions.hasContent(ws, name, file.sha256)
}
