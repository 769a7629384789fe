import { compareCodePoints } from "@assay/storage"
import type { TransferFile } from "../sides/transfer-side.ts"

/** The files of one path, on one side or on both. */
export interface FilePair {
  readonly path: string
  readonly from?: TransferFile
  readonly to?: TransferFile
}

/** Merges two listings that are in code-point order. Holds one file of each in memory. */
export async function* pairByPath(
  source: AsyncIterable<TransferFile>,
  target: AsyncIterable<TransferFile>,
): AsyncGenerator<FilePair, void, undefined> {
  const left = source[Symbol.asyncIterator]()
  const right = target[Symbol.asyncIterator]()
  try {
    // Start both at once: one may be a disk and the other a server.
    let [from, to] = await Promise.all([advance(left), advance(right)])
    while (from !== undefined || to !== undefined) {
      const order = from === undefined ? 1 : to === undefined ? -1 : compareCodePoints(from.path, to.path)
      if (order < 0 && from !== undefined) {
        yield { path: from.path, from }
        from = await advance(left)
      } else if (order > 0 && to !== undefined) {
        yield { path: to.path, to }
        to = await advance(right)
      } else if (from !== undefined && to !== undefined) {
        yield { path: from.path, from, to }
        ;[from, to] = await Promise.all([advance(left), advance(right)])
      }
    }
  } finally {
    await Promise.all([left.return?.(), right.return?.()])
  }
}

async function advance(files: AsyncIterator<TransferFile>): Promise<TransferFile | undefined> {
  const { done, value } = await files.next()
  return done === true ? undefined : value
}
