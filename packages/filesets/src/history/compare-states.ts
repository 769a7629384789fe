import { compareCodePoints, type FilePath } from "@assay/storage"
import type { RevisionFile } from "../revisions/revision-file.ts"
import type { FilesetState } from "./fileset-states.ts"

/** A file that differs between two states. */
export type FileDifference =
  | { readonly change: "added"; readonly path: FilePath; readonly from: undefined; readonly to: RevisionFile }
  | { readonly change: "removed"; readonly path: FilePath; readonly from: RevisionFile; readonly to: undefined }
  | { readonly change: "changed"; readonly path: FilePath; readonly from: RevisionFile; readonly to: RevisionFile }

/** Yields what changed from one state to another, in the order of the paths. Both states are read once, side by side. */
export async function* compareStates(
  from: FilesetState,
  to: FilesetState,
  within?: FilePath,
): AsyncGenerator<FileDifference, void, undefined> {
  const olds = from.files(within)[Symbol.asyncIterator]()
  const news = to.files(within)[Symbol.asyncIterator]()
  try {
    let [a, b] = await Promise.all([olds.next(), news.next()])
    while (a.done !== true || b.done !== true) {
      const order = a.done === true ? 1 : b.done === true ? -1 : compareCodePoints(a.value.path, b.value.path)
      if (order < 0 && a.done !== true) {
        yield { change: "removed", path: a.value.path, from: a.value, to: undefined }
        a = await olds.next()
      } else if (order > 0 && b.done !== true) {
        yield { change: "added", path: b.value.path, from: undefined, to: b.value }
        b = await news.next()
      } else if (a.done !== true && b.done !== true) {
        if (!isSame(a.value, b.value)) yield { change: "changed", path: b.value.path, from: a.value, to: b.value }
        ;[a, b] = await Promise.all([olds.next(), news.next()])
      }
    }
  } finally {
    await Promise.all([olds.return?.(), news.return?.()])
  }
}

/** Returns whether two versions have the same content, as far as it is known without reading them. */
function isSame(a: RevisionFile, b: RevisionFile): boolean {
  if (a.sha256 !== null && b.sha256 !== null) return a.sha256 === b.sha256
  return a.version === b.version
}
