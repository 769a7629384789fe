import autocannon from "autocannon"

export interface Load {
  readonly url: string
  readonly connections: number
  readonly seconds?: number
  /** Paths that are requested in turn, instead of that of `url`. */
  readonly paths?: readonly string[]
}

/** Seconds after its end until a run without a result is given up. */
const PATIENCE = 10
const ATTEMPTS = 3

/** Runs autocannon once. Returns undefined without a result, which sometimes happens when connections end. */
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

/** Returns the requests per second of a server. @throws for any status but 2xx */
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

/** Returns the medians of several servers. They run in turns, so that a busy moment of the machine affects all of them. */
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
