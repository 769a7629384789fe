import autocannon from "autocannon"

export interface Load {
  readonly url: string
  readonly connections: number
  readonly seconds?: number
  /** Paths that are asked for in turn, instead of that of `url`. */
  readonly paths?: readonly string[]
}

/** Seconds after its end at which a run that has not told its result is given up. */
const PATIENCE = 10
const ATTEMPTS = 3

/** One run of autocannon; undefined where it never told its result, which it does now and then when connections end. */
function run(options: autocannon.Options & { readonly duration: number }): Promise<autocannon.Result | undefined> {
  return new Promise((resolve, reject) => {
    const instance = autocannon(options, (error: unknown, result) => {
      clearTimeout(timer)
      if (error instanceof Error) reject(error)
      else resolve(result)
    })
    const timer = setTimeout(
      () => {
        instance.stop()
        resolve(undefined)
      },
      (options.duration + PATIENCE) * 1000,
    )
  })
}

/** Requests per second that a server answers; fails on anything but 2xx. */
async function requestsPerSecond({ url, connections, seconds = 5, paths }: Load): Promise<number> {
  const load = { url, connections, ...(paths === undefined ? {} : { requests: paths.map((path) => ({ path })) }) }
  await run({ ...load, duration: 1 })
  for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
    const result = await run({ ...load, duration: seconds })
    if (result === undefined) continue
    if (result.errors > 0 || result.non2xx > 0) {
      throw new Error(`${url}: ${result.errors} errors, ${result.non2xx} answers that are no 2xx`)
    }
    return result.requests.average
  }
  throw new Error(`${url}: autocannon told no result in ${ATTEMPTS} runs`)
}

/** The same of several servers, in turns, so that a busy moment of the machine hits all of them; medians. */
export async function compareLoads(loads: readonly Load[], rounds = 3): Promise<readonly number[]> {
  const rates = loads.map((): number[] => [])
  for (let round = 0; round < rounds; round += 1) {
    for (const [index, load] of loads.entries()) rates[index]?.push(await requestsPerSecond(load))
  }
  return rates.map(median)
}

export function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN
}
