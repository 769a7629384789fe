import type { HttpResponse } from "@assay/http"
import type { RemoteSource } from "../remote/open-remote-read.ts"
import { remoteError, type RemoteTarget } from "../remote/remote-error.ts"
import type { FilePath } from "../file-path.ts"
import { sendFollowing } from "../remote/send-following.ts"
import { fileMissing } from "./errors.ts"
import { filePath, type FileAddress, type FileAddressesOptions, type FileAddresses } from "./file-addresses.ts"

export interface FileSourceOptions extends FileAddressesOptions {
  readonly addresses: FileAddresses
  readonly path: FilePath
  readonly target: RemoteTarget
}

const ANSWERS = new Set([200, 206, 416])
/** Statuses with which object stores respond to an expired address. */
const EXPIRED = new Set([400, 401, 403, 410])

/** Creates the source of one file. An address that is refused is looked up once more. */
export function createFileSource(options: FileSourceOptions): RemoteSource {
  const { client, addresses, path } = options
  return {
    async ask(range, _first, signal) {
      const headers = { "accept-encoding": "identity", ...(range !== undefined && { range }) }
      let address = await addresses.get(path, signal)
      let response = await fetchBytes(options, address, headers, signal)
      if (address.kind === "signed" && EXPIRED.has(response.status)) {
        response.body.destroy()
        address = await addresses.renew(path, address, signal)
        response = await fetchBytes(options, address, headers, signal)
      }
      const { status, body } = response
      if (isAnswer(status)) return { status, headers: response.headers, body }
      if (address.kind === "direct") throw client.error(await client.read(response), options.target)
      body.destroy()
      throw await refused(options, address, status, signal)
    },
    versionOf: ({ etag }) => etag,
  }
}

function isAnswer(status: number): status is 200 | 206 | 416 {
  return ANSWERS.has(status)
}

function fetchBytes(
  { client, version, path }: FileSourceOptions,
  address: FileAddress,
  headers: Readonly<Record<string, string>>,
  signal: AbortSignal,
): Promise<HttpResponse> {
  if (address.kind === "direct") return client.send(filePath(client.asset, version, path), headers, signal)
  // The address grants access by itself. A key must not be sent there, and would be refused.
  const request = { method: "GET", origin: address.origin, path: address.path, headers } as const
  return sendFollowing(client.remote, () => request, { signal })
}

/**
 * Explains a refusal. A store refuses to say whether a file exists to callers that may not list it, but the listing of
 * the catalog knows.
 */
async function refused(
  { path, target, isListed }: FileSourceOptions,
  address: FileAddress & { readonly kind: "signed" },
  status: number,
  signal: AbortSignal,
): Promise<Error> {
  const isRefusal = status === 403 || status === 404
  if (isRefusal && !(await isListed(path, signal))) return fileMissing(target)
  const what = `${address.origin}, to which the catalog redirects, answers ${status} to a new address; try again later.`
  return remoteError("upstream_failed", target, what)
}
