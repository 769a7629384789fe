import { once } from "node:events"
import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { json } from "node:stream/consumers"
import type { Manifest } from "../manifest.ts"

/** The request of a client to publish a version of a package. */
interface Publication {
  readonly access: string
  readonly versions: Readonly<Record<string, Manifest>>
}

/** A registry of packages on this machine: it keeps what is published and refuses the names in a list. */
export interface FakeRegistry extends AsyncDisposable {
  readonly host: string
  readonly published: ReadonlyMap<string, Publication>
  readonly refused: Set<string>
}

export async function startFakeRegistry(): Promise<FakeRegistry> {
  const published = new Map<string, Publication>()
  const refused = new Set<string>()
  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    const name = decodeURIComponent(request.url ?? "").slice(1)
    const isPublication = request.method === "PUT" && !refused.has(name)
    if (isPublication) published.set(name, (await json(request)) as Publication)
    const status = isPublication ? 201 : refused.has(name) ? 403 : 404
    response.writeHead(status, { "content-type": "application/json" }).end("{}")
  }
  const server = createServer((request, response) => {
    void answer(request, response)
  })
  server.listen(0, "127.0.0.1")
  await once(server, "listening")
  const { port } = server.address() as AddressInfo
  return {
    host: `127.0.0.1:${port}`,
    published,
    refused,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, "close")
    },
  }
}
