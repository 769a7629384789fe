import { rowOrder } from "@assay/results"

/** Puts the lines of a shard in the order of its rows, so that those of all shards are in order and results need not be sorted. */
export async function orderLines(lines: string): Promise<string> {
  const all = Buffer.from(lines)
  async function* bytes(): AsyncGenerator<Buffer, void> {
    yield all
  }
  const slice = async (start: number, end: number) => all.subarray(start, end)
  const pieces = await Array.fromAsync(rowOrder.sortLines({ bytes, slice }, { tasks: [], lines: "all" }))
  return Buffer.concat(pieces).toString()
}
