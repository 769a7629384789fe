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

function list(query: URLSearchParams, response: ServerResponse): void {
  const prefix = query.get("prefix") ?? ""
  const after = query.get("start-after")
  const token = query.get("continuation-token")
  const limit = Math.min(Number(query.get("max-keys") ?? PAGE), PAGE)
  let index = token === null ? indexFrom(prefix, true) : Number(token)
  if (token === null && after !== null) index = Math.max(index, indexFrom(after, false))
  const contents: string[] = []
  for (; index < keys && contents.length < limit && keyOf(index).startsWith(prefix); index += 1) {
    const etag = index.toString(16).padStart(32, "0")
    contents.push(
      `<Contents><Key>${keyOf(index)}</Key><LastModified>2026-11-20T12:00:00.000Z</LastModified><ETag>&quot;${etag}&quot;</ETag><Size>${index % 1000}</Size></Contents>`,
    )
  }
  const isTruncated = index < keys && keyOf(index).startsWith(prefix)
  const next = isTruncated ? `<NextContinuationToken>${index}</NextContinuationToken>` : ""
  response.setHeader("content-type", "application/xml")
  response.end(
    `<?xml version="1.0" encoding="UTF-8"?><ListBucketResult><Name>files</Name><IsTruncated>${isTruncated}</IsTruncated>${next}${contents.join("")}</ListBucketResult>`,
  )
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
