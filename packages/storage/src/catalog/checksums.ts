import { remoteError } from "../remote/remote-error.ts"
import { openRemoteRead } from "../remote/open-remote-read.ts"
import { isFilePath, parseFilePath, type FilePath } from "../file-path.ts"
import { catalogTarget, type CatalogAsset } from "./asset.ts"
import type { CatalogClient } from "./client.ts"
import { createFileAddresses, filePath } from "./file-addresses.ts"
import { createFileSource } from "./file-source.ts"

/** The file of a version that lists all others: each line has a BLAKE3 hash, two spaces and a path. */
const CHECKSUMS = parseFilePath("checksums.blake3")
const LINE = /^\s*[0-9a-f]{64}\s+\*?(\S.*?)\s*$/i
/** Maximum size of the list in bytes. */
const MAX_BYTES = 64 * 1024 * 1024

export function checksumsPath(asset: CatalogAsset, version: string): string {
  return filePath(asset, version, CHECKSUMS)
}

/**
 * Reads the list of checksums. Returns the files that it names, and the list itself.
 * @throws `not_found` if the version has none
 */
export async function readChecksums(
  client: CatalogClient,
  version: string,
  signal: AbortSignal,
): Promise<readonly FilePath[]> {
  const target = catalogTarget(client.asset, "list", { version })
  // This file is read because nothing else is listed, so only the response shows whether it exists.
  const options = { client, version, isListed: async () => false }
  const addresses = createFileAddresses(options)
  const source = createFileSource({ ...options, addresses, path: CHECKSUMS, target })
  const { bytes } = await openRemoteRead({ remote: client.remote, source, target, chunkSize: 1024 * 1024, signal })
  const pieces: Uint8Array[] = []
  let size = 0
  for await (const piece of bytes) {
    pieces.push(piece)
    size += piece.byteLength
    if (size > MAX_BYTES)
      throw remoteError("upstream_failed", target, `'${CHECKSUMS}' has more than ${MAX_BYTES} bytes.`)
  }
  const lines = Buffer.concat(pieces).toString("utf8").split("\n")
  const paths = lines.flatMap((line) => LINE.exec(line)?.[1] ?? []).filter(isFilePath)
  return [CHECKSUMS, ...paths]
}
