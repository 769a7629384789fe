// An object store with a bucket of generated keys, as a separate process. It only lists. Argument: `{"keys": 10000000}`.
import { createServer, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import process from "node:process"

const { keys } = JSON.parse(process.argv[2] ?? "{}") as { readonly keys: number }

const PAGE = 1000

/** Returns the key with this index. The order of keys is that of their numbers. A folder has 2,000 keys, and one above it 100,000. */
function keyOf(index: number): string {
  const number = String(index).padStart(8, "0")
  const folder = String(Math.floor(index / 2000)).padStart(5, "0")
  return `shard-${number.slice(0, 3)}/part-${folder}/sample-${number}.bin`
}

/** Returns the index of the first key after `key`, or that begins with it. */
function indexFrom(key: string, isIncluded: boolean): number {
  let low = 0
  let high = keys
  while (low < high) {
    const middle = (low + high) >> 1
    const other = keyOf(middle)
    if (other < key || (other === key && !isIncluded)) low = middle + 1
    else high = middle
  }
  return low
}

/** Returns the folder below `prefix` that has this key, if it is one. */
function folderOf(key: string, prefix: string, delimiter: string | null): string | undefined {
  const end = delimiter === null ? -1 : key.indexOf(delimiter, prefix.length)
  return end === -1 ? undefined : key.slice(0, end + 1)
}

function list(query: URLSearchParams, response: ServerResponse): void {
  const prefix = query.get("prefix") ?? ""
  const delimiter = query.get("delimiter")
  const token = query.get("continuation-token")
  const limit = Math.min(Number(query.get("max-keys") ?? PAGE), PAGE)
  let index = token === null ? firstIndex(prefix, query.get("start-after"), delimiter) : Number(token)
  const isListed = () => index < keys && keyOf(index).startsWith(prefix)
  const entries: string[] = []
  while (isListed() && entries.length < limit) {
    const folder = folderOf(keyOf(index), prefix, delimiter)
    entries.push(
      folder === undefined ? contentsOf(index) : `<CommonPrefixes><Prefix>${folder}</Prefix></CommonPrefixes>`,
    )
    index = folder === undefined ? index + 1 : indexFrom(`${folder}\uFFFF`, true)
  }
  const isTruncated = isListed()
  const next = isTruncated ? `<NextContinuationToken>${index}</NextContinuationToken>` : ""
  response.setHeader("content-type", "application/xml")
  response.end(
    `<?xml version="1.0" encoding="UTF-8"?><ListBucketResult><Name>files</Name><IsTruncated>${isTruncated}</IsTruncated>${next}${entries.join("")}</ListBucketResult>`,
  )
}

/** Returns the index of the first key of a page. A folder that was the last of another page is left out with its keys. */
function firstIndex(prefix: string, after: string | null, delimiter: string | null): number {
  if (after === null) return indexFrom(prefix, true)
  const folder = after.startsWith(prefix) ? folderOf(after, prefix, delimiter) : undefined
  return Math.max(
    indexFrom(prefix, true),
    folder === after ? indexFrom(`${after}\uFFFF`, true) : indexFrom(after, false),
  )
}

function contentsOf(index: number): string {
  const etag = index.toString(16).padStart(32, "0")
  return `<Contents><Key>${keyOf(index)}</Key><LastModified>2026-11-20T12:00:00.000Z</LastModified><ETag>&quot;${etag}&quot;</ETag><Size>${index % 1000}</Size></Contents>`
}

const server = createServer((request, response) => {
  const url = new URL(request.url ?? "/", "http://localhost")
  if (url.searchParams.get("list-type") === "2") return list(url.searchParams, response)
  response.statusCode = 404
  response.end()
})
server.listen(0, "127.0.0.1", () => {
  process.stdout.write(`http://127.0.0.1:${(server.address() as AddressInfo).port}\n`)
})
process.on("SIGTERM", () => process.exit(0))
