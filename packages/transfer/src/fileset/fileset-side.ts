import { AssayError, isAssayError } from "@assay/schemas/errors"
import type { Client } from "@assay/client"
import type { FileInfo } from "@assay/schemas"
import { compareCodePoints, parseFilePath, parseNewFilePath, type FilePath } from "@assay/storage/paths"
import { formatFileAddress, type FileAddress } from "../file-address.ts"
import { printable } from "../output/printable.ts"
import { createFilesetFile } from "./fileset-file.ts"
import { sendFile } from "./send-file.ts"
import type { SkippedEntry } from "./skipped-entry.ts"
import type { TransferCache } from "./transfer-cache.ts"
import type { TransferFile, TransferSide } from "./transfer-side.ts"

export interface FilesetSideOptions {
  readonly client: Client
  /** A path is a folder in the fileset, below which the side lies. */
  readonly address: FileAddress
  readonly cache: TransferCache
  /** Waits before repetition number `attempt` of a piece of a large file. */
  readonly pause: (attempt: number) => Promise<void>
  /** Called for every file of the listing that can't be one. */
  readonly onSkip: (skipped: SkippedEntry) => void
  /** Holds the rows of a file against what the fileset takes; absent: the fileset takes any. */
  readonly checkRows?: CheckRows
}

/** @throws `invalid_request` with an issue for each fault, as the server does */
export type CheckRows = (path: FilePath, file: TransferFile, signal: AbortSignal) => Promise<void>

/** A fileset on a server, or a folder in it. */
export function createFilesetSide(options: FilesetSideOptions): TransferSide {
  const { client, address, cache, pause, onSkip, checkRows } = options
  const { workspace, fileset } = address
  const prefix = address.path === undefined || address.path === "" ? "" : `${address.path.replace(/\/+$/, "")}/`

  return {
    name: formatFileAddress(address),
    placeOf: (path) => formatFileAddress({ workspace, fileset, path: prefix + path }),
    list: async function* (signal) {
      let last: string | undefined
      const query = prefix === "" ? {} : { path: prefix }
      for await (const info of client.files.list(workspace, fileset, query, { signal })) {
        checkInfo(info)
        checkOrder(last, info.path)
        last = info.path
        const path = info.path.slice(prefix.length)
        const fault = pathFault(info.path, prefix, path)
        if (fault === undefined) yield createFilesetFile(client, address, info, path)
        else onSkip({ path, reason: "odd name", error: fault })
      }
    },
    find: async (path, signal) => {
      const info = await client.files.stat(workspace, fileset, prefix + path, { signal })
      checkInfo(info)
      return createFilesetFile(client, address, info, path)
    },
    write: (file, onBytes, signal) =>
      sendFile(file, { workspace, fileset, path: prefix + file.path }, { client, cache, pause, onBytes, signal }),
    tryWrite: async (file, signal) => {
      const path = parseNewFilePath(prefix + file.path)
      await checkRows?.(path, file, signal)
    },
    remove: async (path, signal) => {
      try {
        await client.files.remove(workspace, fileset, prefix + path, { signal })
        return true
      } catch (error) {
        if (isAssayError(error, "not_found")) return false
        throw error
      }
    },
    check: (signal) => client.service.checkLive({ signal }),
    close: async () => undefined,
  }
}

/** @throws `bad_answer` for what is no record of a file */
function checkInfo(info: FileInfo): void {
  const { path, size }: { readonly path: unknown; readonly size: unknown } = info
  if (typeof path === "string" && typeof size === "number" && Number.isSafeInteger(size) && size >= 0) return
  throw new AssayError("bad_answer", `The listing holds ${printable(JSON.stringify(info))}, which is no file.`)
}

/** Two listings are compared as they come, so that a file out of its place would be taken for missing. */
function checkOrder(last: string | undefined, path: string): void {
  if (last === undefined || compareCodePoints(last, path) < 0) return
  throw new AssayError("bad_answer", `The listing has '${printable(path)}' after '${printable(last)}', out of order.`)
}

/** What keeps a path that a server names from being one below the prefix. */
function pathFault(full: string, prefix: string, path: string): unknown {
  if (!full.startsWith(prefix)) return new AssayError("bad_path", `'${printable(full)}' is not below '${prefix}'.`)
  try {
    parseFilePath(path)
    return undefined
  } catch (error) {
    return error
  }
}
