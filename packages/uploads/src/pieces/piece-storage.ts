import {
  openLocalStorage,
  parseFilePath,
  type ContentChecks,
  type DigestIndex,
  type FilePath,
  type Storage,
} from "@assay/storage"

/** The storage of the pieces of uploads. */
export interface PieceStorage {
  /** The folder of all pieces on the storage, with a slash. Empty: its root. */
  readonly folder: string
  /** The folder of the storage on this machine, for messages. Undefined if it is the default storage. */
  readonly root: string | undefined
  readonly open: () => Promise<Storage>
}

interface PieceStorageContext {
  /** The folder of the pieces beside the database. Undefined if servers share the database. */
  readonly uploadsFolder: string | undefined
  /** Returns a new id that begins with `prefix` and a hyphen. */
  readonly newId: (prefix: string) => string
  readonly contentChecks: ContentChecks
  readonly openDefaultStorage: () => Promise<Storage>
  /** Frees space on a full disk. */
  readonly relieve?: (() => Promise<boolean>) | undefined
}

/**
 * Returns the storage of pieces: the default storage if servers share a database, so that every server reads them. The only server of a
 * database keeps them in a folder beside it, so that bytes for an object store are sent once.
 */
export function createPieceStorage({
  uploadsFolder: root,
  newId,
  contentChecks: checks,
  openDefaultStorage,
  relieve,
}: PieceStorageContext): PieceStorage {
  if (root === undefined) return { folder: "uploads/", root, open: openDefaultStorage }
  const prefix = newId("piece")
  let writes = 0
  // A piece can be a file of a fileset too, which stays verified when the piece is deleted.
  const options = { checks, digests: NO_DIGESTS, relieve, newId: () => `${prefix}-${(writes += 1)}` }
  const configuration = { type: "local", path: root } as const
  const storage = openLocalStorage(configuration, options)
  // A piece that comes back after a power failure belongs to no record, and the sweep deletes it.
  const deleting = openLocalStorage(configuration, { ...options, durable: false })
  const pieces: Storage = { ...storage, delete: (path, given) => deleting.delete(path, given) }
  return { folder: "", root, open: async () => pieces }
}

/** Pieces are never looked up by their digests. */
const NO_DIGESTS: DigestIndex = {
  get: async () => undefined,
  getMany: async (files) => files.map(() => undefined),
  put: async () => {},
  forget: async () => {},
  forgetLater: async () => {},
  settle: async () => {},
}

/** Returns the path of a new piece of an upload. No two requests write the same path, so a piece never changes. */
export function newPiecePath(
  { pieces, newId }: { readonly pieces: PieceStorage; readonly newId: PieceStorageContext["newId"] },
  id: string,
): FilePath {
  return parseFilePath(`${pieces.folder}${id}.${newId("piece")}`)
}

/** The name of a piece. Older versions made a folder for each upload, or stored it as files of their own. */
const PIECE = /^((?:upload|object)-[\w-]+)(?:[./]piece-[\w-]+|\.bytes|\.json(?:\.\w+)?)$/

/** Returns the upload of a piece. Undefined for other files: an operator may keep some in a folder with the same name. */
export function uploadOfPiece({ folder }: PieceStorage, path: FilePath): string | undefined {
  return PIECE.exec(path.slice(folder.length))?.[1]
}
