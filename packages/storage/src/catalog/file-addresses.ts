import { hasUrlUser, type AssayError } from "@assay/schemas"
import { LRUCache } from "lru-cache"
import type { FilePath } from "../file-path.ts"
import { remoteError, type RemoteTarget } from "../remote/remote-error.ts"
import { isBareStatus } from "./api-response.ts"
import { assetPath, catalogTarget, versionPath, type CatalogAsset } from "./asset.ts"
import type { CatalogClient } from "./client.ts"
import { fileMissing } from "./errors.ts"
import { createSharedWork, type SharedWork } from "./shared-work.ts"

/** Where the bytes of a file are: at a signed address, which grants access by itself, or at the API. */
export type FileAddress =
  | { readonly kind: "signed"; readonly origin: string; readonly path: string }
  | { readonly kind: "direct" }

export interface FileAddresses {
  get(path: FilePath, signal: AbortSignal): Promise<FileAddress>
  /** Returns a new address after `used` was refused. */
  renew(path: FilePath, used: FileAddress, signal: AbortSignal): Promise<FileAddress>
}

export interface FileAddressesOptions {
  readonly client: CatalogClient
  readonly version: string
  /** Returns whether the version lists a file that the catalog says it can't find. */
  readonly isListed: (path: FilePath, signal: AbortSignal) => Promise<boolean>
}

interface Entry {
  readonly find: SharedWork<FileAddress>
  address?: FileAddress
}

/** Number of addresses that are kept. The least recently used ones are dropped. */
const MAX_KEPT = 256
const REDIRECTS = new Set([301, 302, 303, 307, 308])

/** Creates a cache of addresses. An address is kept until it is refused, because its lifetime is unknown. */
export function createFileAddresses(options: FileAddressesOptions): FileAddresses {
  const entries = new LRUCache<FilePath, Entry>({ max: MAX_KEPT })

  function entryOf(path: FilePath): Entry {
    const known = entries.get(path)
    if (known !== undefined) return known
    const entry: Entry = {
      find: createSharedWork(async (signal) => {
        const found = await findAddress(options, path, signal)
        entry.address = found
        return found
      }),
    }
    entries.set(path, entry)
    return entry
  }

  return {
    async get(path, signal) {
      const entry = entryOf(path)
      return entry.address ?? entry.find(signal)
    },
    async renew(path, used, signal) {
      const entry = entryOf(path)
      // Another part of the read may have been refused earlier and have renewed the address.
      if (entry.address === used) delete entry.address
      return entry.address ?? entry.find(signal)
    },
  }
}

/** Returns the path of one file in the API. */
export function filePath(asset: CatalogAsset, version: string, path: string): string {
  return `${versionPath(asset, version)}/files/${path.split("/").map(encodeURIComponent).join("/")}`
}

async function findAddress(options: FileAddressesOptions, path: FilePath, signal: AbortSignal): Promise<FileAddress> {
  const { client, version, isListed } = options
  const target = catalogTarget(client.asset, "read", { version, path })
  const asked = filePath(client.asset, version, path)
  const response = await client.send(asked, { range: "bytes=0-0" }, signal)
  const { status, headers, body } = response
  if (REDIRECTS.has(status)) {
    body.destroy()
    return signedAddress(headers["location"] ?? "", client.asset.origin + asked, target)
  }
  if (status === 206 || status === 416 || (status === 200 && !isJson(headers["content-type"]))) {
    body.destroy()
    return { kind: "direct" }
  }
  const answer = await client.read(response)
  // A file may itself be JSON, but a status response contains nothing else.
  const isFile = status === 200 && !isBareStatus(answer)
  if (isFile) return { kind: "direct" }
  if (answer.status !== 404 && answer.status !== 200) throw client.error(answer, target)
  if (!(await isListed(path, signal))) throw fileMissing(target)
  return listedAddress(options, path, target, signal)
}

function isJson(type = ""): boolean {
  return /\bjson\b/i.test(type)
}

/** Asks the list of addresses. It contains files that some storage of the service does not find individually. */
async function listedAddress(
  { client, version }: FileAddressesOptions,
  path: FilePath,
  target: RemoteTarget,
  signal: AbortSignal,
): Promise<FileAddress> {
  const asked = `${assetPath(client.asset)}/${encodeURIComponent(version)}/files?path=${encodeURIComponent(path)}`
  const answer = await client.get(asked, target, signal)
  if (answer.status !== 200) throw client.error(answer, target)
  const { urls, filepath: paths } = answer.body
  const url: unknown = Array.isArray(urls) && Array.isArray(paths) ? urls[paths.indexOf(path)] : undefined
  if (typeof url === "string") return signedAddress(url, client.asset.origin + asked, target)
  throw remoteError(
    "upstream_failed",
    target,
    "the catalog lists the file and gives no address for it; try again later.",
  )
}

function signedAddress(address: string, base: string, target: RemoteTarget): FileAddress {
  const url = URL.parse(address, base)
  if (url === null || !/^https?:$/.test(url.protocol)) throw lost("to an invalid address", target)
  if (hasUrlUser(url.href)) throw lost("to an address with a user name or a password", target)
  if (base.startsWith("https:") && url.protocol === "http:") throw lost("to an address without TLS", target)
  return { kind: "signed", origin: url.origin, path: url.pathname + url.search }
}

function lost(where: string, target: RemoteTarget): AssayError {
  return remoteError("upstream_failed", target, `the catalog redirects ${where}; check that host is the catalog's API.`)
}
