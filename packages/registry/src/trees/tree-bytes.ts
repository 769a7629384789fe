import { promisify } from "node:util"
import { gunzip, gzip } from "node:zlib"
import type { TreeFile } from "./trees.ts"

const compress = promisify(gzip)
const decompress = promisify(gunzip)

/** Speed before size: what is long in a tree are digests, and those can't be compressed. */
const FASTEST = 1

/** The files of a tree as the database keeps them: a compressed JSON array of arrays. Most versions are the digest. */
export async function formatTree(files: readonly TreeFile[]): Promise<Uint8Array> {
  const rows = files.map(({ path, size, version, sha256 }) => {
    return version === `"${sha256}"` ? [path, size, sha256] : [path, size, sha256, version]
  })
  return compress(JSON.stringify(rows), { level: FASTEST })
}

type Row = readonly [path: string, size: number, sha256: string | null, version?: string]

export async function parseTree(bytes: Uint8Array): Promise<readonly TreeFile[]> {
  const rows = JSON.parse((await decompress(bytes)).toString()) as readonly Row[]
  return rows.map(([path, size, sha256, version = `"${sha256}"`]) => ({ path, size, version, sha256 }))
}
