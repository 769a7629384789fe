import { compareCodePoints, isFilePath, type ListOptions, type StoredFile } from "@assay/storage"

export interface ObjectQuery {
  /** Only files whose path begins with this text. */
  readonly prefix: string
  /** Groups the files whose paths are equal up to this text after the prefix. Empty: no groups. */
  readonly delimiter: string
  /** Only paths after this one, in code-point order. A group that was returned before: only what follows the group. */
  readonly after: string
  /** Maximum number of files and groups. */
  readonly limit: number
}

export interface ObjectPage {
  readonly files: readonly StoredFile[]
  /** Paths up to the delimiter. */
  readonly groups: readonly string[]
  /** The last file or group, if more follow. */
  readonly next: string | undefined
}

/** Reads files of a fileset in code-point order. */
export type WalkFiles = (options: Pick<ListOptions, "prefix" | "after">) => AsyncIterable<StoredFile>

/** Behind all paths with the same start, but for those that no keyboard writes. */
const LAST = "\u{10FFFF}"

/** Files of one group after which the listing begins again behind the group, which reads no more of it. */
const FILES_OF_A_GROUP = 500

/** Lists the files of a fileset as S3 lists objects: by any prefix, with groups (`CommonPrefixes`). Reads little more than it returns. */
export async function listObjects(walk: WalkFiles, query: ObjectQuery): Promise<ObjectPage> {
  const { prefix, delimiter, limit } = query
  const files: StoredFile[] = []
  const groups: string[] = []
  const page = (next?: string): ObjectPage => ({ files, groups, next })
  const folder = prefix.slice(0, prefix.lastIndexOf("/") + 1)
  // No file can have such a path.
  if (limit < 1 || (folder !== "" && !isFilePath(folder.slice(0, -1)))) return page()
  const groupOf = (path: string) => {
    const at = delimiter === "" ? -1 : path.indexOf(delimiter, prefix.length)
    return at < 0 ? undefined : path.slice(0, at + delimiter.length)
  }
  let last = query.after
  let open = groupOf(last) === last && last.startsWith(prefix) ? last : undefined
  let start: string | undefined = startOf(query, open)
  while (start !== undefined) {
    let skipped = 0
    const from: string = start
    start = undefined
    for await (const file of walk({ prefix: folder, after: from })) {
      if (!file.path.startsWith(prefix)) {
        if (compareCodePoints(file.path, prefix) > 0) break
        continue
      }
      const group = groupOf(file.path)
      if (group !== undefined && group === open) {
        skipped += 1
        if (skipped < FILES_OF_A_GROUP || from === group + LAST) continue
        start = group + LAST
        break
      }
      if (files.length + groups.length >= limit) return page(last)
      open = group
      skipped = 0
      last = group ?? file.path
      if (group === undefined) files.push(file)
      else groups.push(group)
    }
  }
  return page()
}

/** Returns the path after which a listing begins: before the prefix, so that a file with exactly this path is listed too. */
function startOf({ prefix, after }: ObjectQuery, open: string | undefined): string {
  const least = prefix === "" ? "" : before(prefix)
  const start = open === undefined ? after : open + LAST
  return compareCodePoints(start, least) > 0 ? start : least
}

/** Returns a text that is less than `text`, with few texts between them. */
function before(text: string): string {
  const end = text.length - (/[\uDC00-\uDFFF]$/.test(text) ? 2 : 1)
  const [start, code] = [text.slice(0, end), text.codePointAt(end) ?? 0]
  if (code === 0) return start
  // Surrogates are not characters of a well-formed text.
  return start + String.fromCodePoint(code === 0xe000 ? 0xd7ff : code - 1) + LAST
}
