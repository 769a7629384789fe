import { connect } from "node:net"
import { resultsInTurns, type ForEach } from "./in-turns.ts"
import { median } from "./median.ts"

export interface Load {
  /** The first address that is requested. */
  readonly url: string
  readonly connections: number
  readonly seconds?: number
  /** Returns the path of a request, counted from 0 over all rounds. Without it, all requests are the same. */
  readonly pathOf?: (index: number) => string
}

export interface LoadResult {
  /** Requests per second. */
  readonly rate: number
  /** Milliseconds. */
  readonly p50: number
  readonly p99: number
}

const HEAD_END = "\r\n\r\n"

/** Sends GET requests on one connection, each after the answer to the one before, until `isOver`. */
function requestInTurn(url: URL, nextPath: () => string, isOver: () => boolean, onAnswer: (ms: number) => void) {
  return new Promise<void>((resolve, reject) => {
    const socket = connect(Number(url.port), url.hostname)
    let held: Buffer = Buffer.alloc(0)
    let missing: number | undefined
    let sentAt = 0
    const send = () => {
      missing = undefined
      sentAt = performance.now()
      socket.write(`GET ${nextPath()} HTTP/1.1\r\nHost: ${url.host}\r\n\r\n`)
    }
    socket.on("connect", send)
    socket.on("error", reject)
    socket.on("close", () => (isOver() ? resolve() : reject(new Error(`${url.host} closed a connection`))))
    socket.on("data", (part: Buffer) => {
      let body = part
      if (missing === undefined) {
        held = held.length === 0 ? part : Buffer.concat([held, part])
        const end = held.indexOf(HEAD_END)
        if (end < 0) return
        const head = held.toString("latin1", 0, end)
        const length = /\r\ncontent-length: (\d+)/i.exec(head)?.[1]
        if (!head.startsWith("HTTP/1.1 2") || length === undefined) {
          socket.destroy(new Error(head.slice(0, 200)))
          return
        }
        missing = Number(length)
        body = held.subarray(end + HEAD_END.length)
        held = Buffer.alloc(0)
      }
      missing -= body.length
      if (missing > 0) return
      onAnswer(performance.now() - sentAt)
      if (isOver()) socket.end(resolve)
      else send()
    })
  })
}

/** Loads a server with the least work that a client can do, so that the time of the server is measured. @throws for any status but 2xx */
export async function requestLoad({ url, connections, seconds = 3, pathOf }: Load, first = 0): Promise<LoadResult> {
  const parsed = new URL(url)
  const fixed = parsed.pathname + parsed.search
  let index = first
  const nextPath = () => {
    if (pathOf === undefined) return fixed
    index += 1
    return pathOf(index - 1)
  }
  const times: number[] = []
  const started = performance.now()
  const until = started + seconds * 1000
  await Promise.all(
    Array.from({ length: connections }, () =>
      requestInTurn(
        parsed,
        nextPath,
        () => performance.now() > until,
        (ms) => void times.push(ms),
      ),
    ),
  )
  const elapsed = (performance.now() - started) / 1000
  times.sort((a, b) => a - b)
  const at = (share: number) => times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? Number.NaN
  return { rate: times.length / elapsed, p50: at(0.5), p99: at(0.99) }
}

/** Returns the medians of several servers. They run in turns, so that a busy moment of the machine affects all of them. */
export async function compareLoads<const Loads extends readonly Load[]>(
  loads: Loads,
  rounds = 3,
): Promise<ForEach<Loads, LoadResult>> {
  for (const load of loads) await requestLoad({ ...load, seconds: 1 }, 9_000_000)
  const results = await resultsInTurns(
    loads.map((load) => (round: number) => requestLoad(load, round * 1_000_000)),
    rounds,
  )
  const medians = results.map((found) => ({
    rate: median(found.map(({ rate }) => rate)),
    p50: median(found.map(({ p50 }) => p50)),
    p99: median(found.map(({ p99 }) => p99)),
  }))
  return medians as unknown as ForEach<Loads, LoadResult>
}
