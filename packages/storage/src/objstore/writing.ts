import { createHash } from "node:crypto"
import { AssayError } from "@assay/schemas"
import { linkAbort, type LinkedAbort } from "@assay/http"
import type { RemoteTarget } from "../remote/remote-error.ts"
import type { FilePath } from "../file-path.ts"
import { quotePath } from "../quote-path.ts"
import type { WriteOptions } from "../storage.ts"
import { objstoreTarget, type ObjstoreContext } from "./objstore-context.ts"

/** One write on its way. */
export interface Writing {
  readonly path: FilePath
  readonly key: string
  readonly target: RemoteTarget
  readonly options: WriteOptions
  /** Ends what is still under way. */
  readonly ended: LinkedAbort
  /** Takes every piece in its turn. */
  readonly count: (piece: Uint8Array) => void
  /** How many bytes came, and their SHA-256. Called once, when all are there. @throws `checksum_mismatch` */
  readonly finish: () => { readonly size: number; readonly sha256: string }
}

export function startWriting(store: ObjstoreContext, path: FilePath, options: WriteOptions): Writing {
  const hash = createHash("sha256")
  let size = 0
  return {
    path,
    key: store.keyPrefix + path,
    target: objstoreTarget(store, "write", path),
    options,
    ended: linkAbort(options.signal),
    count(piece) {
      hash.update(piece)
      size += piece.byteLength
    },
    finish() {
      const sha256 = hash.digest("hex")
      checkDigest(path, sha256, options.sha256)
      return { size, sha256 }
    },
  }
}

function checkDigest(path: FilePath, sha256: string, expected: string | undefined): void {
  if (expected === undefined || expected === sha256) return
  const message = `The bytes for ${quotePath(path)} have the SHA-256 ${sha256}, not ${expected}; nothing was changed. Send them again.`
  throw new AssayError("checksum_mismatch", message, { context: { storage: "objstore", path, sha256, expected } })
}
