import type { Exchange } from "./exchange.ts"
import { errorAnswer, type HubAnswer } from "./hub-answer.ts"
import { rangedAnswer } from "./hub-answer.ts"

/** Returns the bytes of a file in git, or the address of another file. */
export function resolveFile(exchange: Exchange, objectHost: string): HubAnswer {
  const { request, address, commit, repository, settings, faults, addresses, url } = exchange
  const { path, operation } = address
  const headers = { "x-repo-commit": commit.sha }
  const file = commit.files.get(path)
  if (file === undefined) return errorAnswer(404, "Entry not found", { code: "EntryNotFound", headers })
  const { bytes, oid, lfs } = file
  const linked = { ...headers, "x-linked-size": String(bytes.byteLength) }
  const body = Buffer.from("Found. Redirecting.")
  if (lfs !== undefined) {
    const location = objectHost + addresses.sign(lfs.oid)
    const found = { ...linked, "x-linked-etag": `"${lfs.oid}"`, etag: `"${oid}"`, "accept-ranges": "bytes", location }
    return { status: 302, headers: found, body }
  }
  if (settings.resolveCache && operation === "resolve") {
    const place = [`${repository.type}s`, repository.id, commit.sha, ...path.split("/").map(encodeURIComponent)]
    const location = `${new URL(url).pathname.replace(/\/$/, "")}/api/resolve-cache/${place.join("/")}`
    return { status: 307, headers: { ...linked, "x-linked-etag": `"${oid}"`, location }, body }
  }
  const range = faults("ignore-range") === undefined ? request.headers["range"] : undefined
  return rangedAnswer(bytes, range, { ...headers, etag: `"${oid}"` })
}
