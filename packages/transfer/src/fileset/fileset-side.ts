import type { Client } from "@assay/client"
import { type FileInfo, printable } from "@assay/schemas"
import { AssayError, isAssayError } from "@assay/schemas/errors"
import { compareCodePoints, parseFilePath, parseNewFilePath, type FilePath } from "@assay/storage"
import { formatFileAddress, type FileAddress } from "../file-address.ts"
import type { TransferCache } from "../sides/transfer-cache.ts"
import type { SkippedEntry, TransferFile, TransferSide } from "../sides/transfer-side.ts"
import { createFilesetFile, sendFile } from "./fileset-file.ts"

export interface FilesetSideOptions {
  readonly client: Client
  /** If the address has a path, it is the folder of the fileset that the side shows. */
  readonly address: FileAddress
  readonly cache: TransferCache
  /** Waits before retry number `attempt` of a piece of a large file. */
  readonly pause: (attempt: number) => Promise<void>
  /** Called for every listed file whose path is not a file path. */
  readonly onSkip: (skipped: SkippedEntry) => void
  /** Checks the rows of a file. Absent: the fileset accepts any rows. */
  readonly checkRows?: CheckRows | undefined
}

/** Checks the rows of a file against the schemas of a fileset. @throws `invalid_request` with one issue per fault, as the server does */
export type CheckRows = (path: FilePath, file: TransferFile, signal: AbortSignal) => Promise<void>

/** Returns a fileset of a server, or a folder of it, as a side. */
export function createFilesetSide(options: FilesetSideOptions): TransferSide {
  const { client, address, cache, pause, onSkip, checkRows } = options
  const { workspace, fileset } = address
  const prefix = address.path === undefined || address.path === "" ? "" : `${address.path.replace(/\/+$/, "")}/`

  return {
    name: formatFileAddress(address),
    locationOf: (path) => formatFileAddress({ workspace, fileset, path: prefix + path }),
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

/** @throws `bad_answer` if the value is not the record of a file */
function checkInfo(info: FileInfo): void {
  const { path, size }: { readonly path: unknown; readonly size: unknown } = info
  if (typeof path === "string" && typeof size === "number" && Number.isSafeInteger(size) && size >= 0) return
  throw new AssayError(
    "bad_answer",
    `The listing contains ${printable(JSON.stringify(info))}, which is not the record of a file.`,
  )
}

/** Checks the order: two listings are merged as they arrive, so a file out of order would count as missing. @throws `bad_answer` */
function checkOrder(last: string | undefined, path: string): void {
  if (last === undefined || compareCodePoints(last, path) < 0) return
  throw new AssayError("bad_answer", `The listing has '${printable(path)}' after '${printable(last)}', out of order.`)
}

/** Returns the error if a path of a server is not a file path below the prefix. */
function pathFault(full: string, prefix: string, path: string): unknown {
  if (!full.startsWith(prefix)) return new AssayError("bad_path", `'${printable(full)}' is not below '${prefix}'.`)
  try {
    parseFilePath(path)
    return undefined
  } catch (error) {
    return error
  }
}
