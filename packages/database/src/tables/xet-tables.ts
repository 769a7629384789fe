/** Milliseconds since 1970, UTC. */
type Moment = number

/** A xorb that a client sent to a fileset: chunks of files. Its bytes are a pending object, until files of the fileset have all its chunks. */
export interface XetXorbTable {
  fileset_id: string
  hash: string
  /** See `packChunkList` of the hub. */
  chunks: Uint8Array
}

/** A file that was sent as terms: which chunks of which xorbs it consists of. */
export interface XetFileTable {
  fileset_id: string
  sha256: string
  /** The hash of Xet. */
  hash: string
  size: number
  /** See `packTerms` of the hub. */
  terms: Uint8Array
  /** 1 if a commit has made a file of it, whose bytes the terms describe. */
  committed: number
  /** When the terms of a file that waits for its commit are forgotten. */
  expires_at: Moment
}

/** The xorbs that the terms of a file name. */
export interface XetUseTable {
  fileset_id: string
  sha256: string
  xorb: string
}

/** The chunks that clients ask for, to find the xorbs that they need not send. */
export interface XetChunkTable {
  fileset_id: string
  chunk: string
  xorb: string
}

/** How often chunks of a fileset were lost, because their files changed or nobody committed them. */
export interface XetLossTable {
  fileset_id: string
  losses: number
}
