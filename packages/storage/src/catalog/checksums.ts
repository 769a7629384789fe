import { remoteError } from "../remote/remote-error.ts"
import { openRemoteRead } from "../remote/open-remote-read.ts"
import { isFilePath, parseFilePath, type FilePath } from "../file-path.ts"
import { catalogTarget, type CatalogAsset } from "./asset.ts"
import type { CatalogClient } from "./client.ts"
import { createFileAddresses, filePath } from "./file-addresses.ts"
import { createFileSource } from "./file-source.ts"

/** The file of a version that lists all others: on each line a BLAKE3 hash, two spaces and a path. */
const CHECKSUMS = parseFilePath("checksums.blake3")
const LINE = /^\s*[0-9a-f]{64}\s+\*?(\S.*?)\s*$/i
/** Bytes of the list at the most. */
const LONGEST = 64 * 1024 * 1024

export function checksumsPath(asset: CatalogAsset, version: string): string {
  return filePath(asset, version, CHECKSUMS)
}

/** The files that the list of checksums names, and the list itself. @throws `not_found` where the version has none */
export async function readChecksums(
  client: CatalogClient,
  version: string,
  signal: AbortSignal,
): Promise<readonly FilePath[]> {
  const target = catalogTarget(client.asset, "list", { version })
  // It is read because nothing else is listed, so nobody can tell whether it is there but the answer itself.
  const options = { client, version, isListed: async () => false }
  const addresses = createFileAddresses(options)
  const source = createFileSource({ ...options, addresses, path: CHECKSUMS, target })
  const { bytes } = await openRemoteRead({ remote: client.remote, source, target, chunkSize: 1024 * 1024, signal })
  const pieces: Uint8Array[] = []
  let size = 0
  for await (const piece of bytes) {
    pieces.push(piece)
    size += piece.byteLength
    if (size > LONGEST) throw remoteError("upstream_failed", target, `'${CHECKSUMS}' has more than ${LONGEST} bytes.`)
  }
  const lines = Buffer.concat(pieces).toString("utf8").split("\n")
  const paths = lines.flatMap((line) => LINE.exec(line)?.[1] ?? []).filter(isFilePath)
  return [CHECKSUMS, ...paths]
}
