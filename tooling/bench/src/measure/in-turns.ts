import { median } from "./median.ts"

/** Returns the median seconds of each work. They run in turns, so that a busy moment of the machine affects all of them. */
export async function inTurns(works: readonly (() => Promise<number>)[], rounds = 3): Promise<readonly number[]> {
  const seconds = works.map((): number[] => [])
  for (let round = 0; round < rounds; round += 1) {
    for (const [index, work] of works.entries()) seconds[index]?.push(await work())
  }
  return seconds.map(median)
}
