import { AssayError, type LfsBatchBody } from "@assay/schemas"
import { type FilePath, parseFilePath } from "@assay/storage"
import type { Static } from "@sinclair/typebox"
import type { CallerFilesets, RevisionFile } from "@assay/filesets"
import type { Repository } from "./hub-address.ts"

/** The folder of a fileset with the objects that Git LFS sent for a git repository elsewhere. */
const FOLDER = "lfs/objects"

/** Returns the path of the file that keeps an object. git arranges its own objects in the same folders. */
export function keptPath(oid: string): FilePath {
  return parseFilePath(`${FOLDER}/${oid.slice(0, 2)}/${oid.slice(2, 4)}/${oid}`)
}

/**
 * Returns whether a batch is sent by a client of the hub, which names its objects in a commit afterwards. Only such clients take the hub's
 * own transfer `multipart`, and they name a branch without `refs/`. From any other client no commit follows: its objects are kept at once.
 */
export function isCommitted({ transfers = [], ref }: Static<typeof LfsBatchBody>): boolean {
  return transfers.includes("multipart") && ref?.name.startsWith("refs/") !== true
}

/** Returns the sizes of those objects that are kept, by their digest. @throws `unavailable` while a file is read for its digest */
export async function findKept(
  { revisions }: CallerFilesets,
  { ws, name }: Repository,
  oids: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  const revision = await revisions.get(ws, name)
  const files = new Map<string, RevisionFile>()
  for (const oid of oids) {
    const file = await revision.get(keptPath(oid))
    if (file !== undefined) files.set(oid, file)
  }
  const digests = await revisions.digests(ws, name, [...files.values()])
  return new Map([...files].filter(([oid], index) => digests[index] === oid).map(([oid, { size }]) => [oid, size]))
}

/**
 * Stores the bytes of an object as a file of the repository, which is listed, counted and deleted like every other.
 * @throws `checksum_mismatch`, `bad_upload` if they are not the announced bytes; `method_not_allowed`, `disk_full`
 */
export async function keepObject(
  { registry, repository }: { readonly registry: CallerFilesets; readonly repository: Repository },
  { oid, size }: { readonly oid: string; readonly size?: number | undefined },
  bytes: AsyncIterable<Uint8Array>,
): Promise<void> {
  const sent = size === undefined ? bytes : exactly(bytes, { oid, size })
  await registry.files.write(repository.ws, repository.name, keptPath(oid), sent, { sha256: oid, size })
}

async function* exactly(
  bytes: AsyncIterable<Uint8Array>,
  { oid, size }: { readonly oid: string; readonly size: number },
): AsyncGenerator<Uint8Array, void> {
  let length = 0
  for await (const piece of bytes) {
    length += piece.byteLength
    if (length > size) break
    yield piece
  }
  if (length === size) return
  const found = length > size ? `more than ${size}` : `${length}`
  const message = `The batch announced ${size} bytes for object ${oid}, but ${found} arrived; nothing was kept. Send the object with its own size.`
  throw new AssayError("bad_upload", message)
}
