import type { Outages } from "@assay/storage"
import type { RowSource, SourceRow } from "@assay/scoring"

type Batches = AsyncGenerator<readonly SourceRow[], void, undefined>

/** Returns the same rows. If their storage does not respond, reading waits and begins again; rows that were returned are left out. */
export function outlasting(source: RowSource, outages: Outages): RowSource {
  async function* read(open: () => AsyncIterable<readonly SourceRow[]>, signal: AbortSignal): Batches {
    let next = 0
    let batches: AsyncIterator<readonly SourceRow[]> | undefined
    const take = async () => {
      batches ??= open()[Symbol.asyncIterator]()
      try {
        return await batches.next()
      } catch (error) {
        batches = undefined
        throw error
      }
    }
    try {
      for (;;) {
        const step = await outages.outlast(take, { signal })
        if (step.done === true) return
        const rows = step.value.filter(({ index }) => index >= next)
        next = Math.max(next, (rows.at(-1)?.index ?? -1) + 1)
        if (rows.length > 0) yield rows
      }
    } finally {
      await batches?.return?.()
    }
  }
  const { openRange } = source
  return {
    open: (signal) => read(() => source.open(signal), signal),
    count: (signal) => outages.outlast(() => source.count(signal), { signal }),
    ...(openRange && { openRange: (range, signal) => read(() => openRange(range, signal), signal) }),
  }
}
