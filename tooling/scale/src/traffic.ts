/** Requests to the servers of a cluster, each of which reads what another one wrote. */
export interface Traffic {
  add(url: string): void
  /** Waits until no request to the server is running. */
  remove(url: string): Promise<void>
  urls(): readonly string[]
  count(): number
  /** Sends requests until `stop`. Returns one sentence for each response that was wrong. */
  run(): Promise<{ readonly requests: number; readonly faults: readonly string[] }>
  stop(): void
}

const FILES = "/apis/files/v2/workspaces/default/filesets"
const SECRETS = "/apis/secrets/v2/workspaces/default/secrets"
const MAX_FAULTS = 20

export function createTraffic(first: readonly string[]): Traffic {
  let urls = [...first]
  const stopping = new AbortController()
  let requests = 0
  let running = Promise.resolve()
  const faults: string[] = []

  async function call(url: string, method: string, path: string, body?: object | string): Promise<string> {
    requests += 1
    const type = typeof body === "object" ? "application/json" : "application/octet-stream"
    const sent = typeof body === "object" ? JSON.stringify(body) : body
    const content = sent === undefined ? {} : { body: sent, headers: { "content-type": type } }
    const response = await fetch(url + path, { method, ...content })
    const text = await response.text()
    if (!response.ok) throw new Error(`${method} ${path} returned ${response.status}: ${text.slice(0, 200)}`)
    return text
  }

  /** Writes through one server and reads through another one. */
  async function visit(writer: string, reader: string, number: number): Promise<void> {
    const name = `visit-${number}`
    const expect = (text: string, part: string) => {
      if (!text.includes(part))
        throw new Error(`A server did not return '${part}' of another one: ${text.slice(0, 200)}`)
    }
    await call(writer, "POST", FILES, { name, custom_fields: { number } })
    await call(writer, "PUT", `${FILES}/${name}/-/a.txt`, `text ${number}`)
    await call(writer, "POST", SECRETS, { name, value: `value ${number}` })
    expect(await call(reader, "GET", `${FILES}/${name}/-/a.txt`), `text ${number}`)
    expect(await call(reader, "GET", `${FILES}?filter[custom_fields.number]=${number}`), `"${name}"`)
    expect(await call(reader, "GET", `${FILES}/${name}/files`), "a.txt")
    expect(await call(reader, "GET", `${SECRETS}/${name}`), `"${name}"`)
    await call(reader, "PATCH", `${FILES}/${name}`, { description: "seen" })
    expect(await call(writer, "GET", `${FILES}/${name}`), "seen")
    await call(reader, "DELETE", `${SECRETS}/${name}`)
    await call(writer, "DELETE", `${FILES}/${name}`)
  }

  return {
    add: (url) => void (urls = [...urls, url]),
    async remove(url) {
      urls = urls.filter((one) => one !== url)
      await running
    },
    urls: () => urls,
    count: () => requests,
    async run() {
      for (let number = 1; !stopping.signal.aborted && faults.length < MAX_FAULTS; number++) {
        const [writer = "", reader = ""] = [urls[number % urls.length], urls[(number + 1) % urls.length]]
        running = visit(writer, reader, number).catch((error: unknown) => void faults.push(String(error)))
        await running
      }
      return { requests, faults }
    },
    stop: () => stopping.abort(),
  }
}
