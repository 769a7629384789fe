import autocannon from "autocannon"

export interface Load {
  readonly url: string
  readonly connections: number
  readonly seconds?: number
}

/** Requests per second that a server answers; fails on anything but 2xx. */
export async function requestsPerSecond({ url, connections, seconds = 5 }: Load): Promise<number> {
  await autocannon({ url, connections, duration: 1 })
  const result = await autocannon({ url, connections, duration: seconds })
  if (result.errors > 0 || result.non2xx > 0) {
    throw new Error(`${url}: ${result.errors} errors, ${result.non2xx} answers that are no 2xx`)
  }
  return result.requests.average
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
