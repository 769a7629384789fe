import { median } from "./median.ts"

/** The same result for each work of a list. */
export type ForEach<Works extends readonly unknown[], Result> = { readonly [Place in keyof Works]: Result }

/** Returns all results of each work. They run in turns, so that a busy moment of the machine affects all of them. */
export async function resultsInTurns<Result>(
  works: readonly ((round: number) => Promise<Result>)[],
  rounds = 3,
): Promise<readonly (readonly Result[])[]> {
  const results = works.map((): Result[] => [])
  for (let round = 0; round < rounds; round += 1) {
    for (const [index, work] of works.entries()) results[index]?.push(await work(round))
  }
  return results
}

/** Returns the median of each work, which returns a time or a rate. They run in turns. */
export async function inTurns<const Works extends readonly (() => Promise<number>)[]>(
  works: Works,
  rounds = 3,
): Promise<ForEach<Works, number>> {
  return (await resultsInTurns(works, rounds)).map(median) as unknown as ForEach<Works, number>
}
