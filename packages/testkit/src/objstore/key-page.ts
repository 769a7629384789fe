/** What a page ended with: a key, or a prefix that stands for all keys below it. */
export type PageEnd = { readonly key: string } | { readonly prefix: string }

export interface KeyPage {
  readonly keys: readonly string[]
  readonly prefixes: readonly string[]
  /** Undefined when nothing follows. */
  readonly end: PageEnd | undefined
}

export interface KeyPageQuery {
  readonly prefix: string
  /** Keys that have it after the prefix are told by what is before it, once. Empty: none are. */
  readonly delimiter: string
  readonly limit: number
  readonly after: PageEnd
}

/** A page of keys that are sorted by their UTF-8 bytes. */
export function readKeyPage(sorted: readonly string[], { prefix, delimiter, limit, after }: KeyPageQuery): KeyPage {
  const keys: string[] = []
  const prefixes: string[] = []
  const told = "prefix" in after ? after.prefix : undefined
  const bound = told ?? ("key" in after ? after.key : "")
  let end: PageEnd | undefined
  const start = Math.max(firstFrom(sorted, prefix), bound === "" ? 0 : firstFrom(sorted, bound))
  for (let at = start; at < sorted.length; at++) {
    const key = sorted[at] ?? ""
    if (!key.startsWith(prefix)) break
    if (key === bound || (told !== undefined && key.startsWith(told))) continue
    const cut = delimiter === "" ? -1 : key.indexOf(delimiter, prefix.length)
    const common = cut === -1 ? undefined : key.slice(0, cut + delimiter.length)
    if (common !== undefined && common === prefixes.at(-1)) continue
    if (keys.length + prefixes.length === limit) return { keys, prefixes, end }
    if (common === undefined) keys.push(key)
    else prefixes.push(common)
    end = common === undefined ? { key } : { prefix: common }
  }
  return { keys, prefixes, end: undefined }
}

/** Where the first key stands whose bytes are those of `name` or come after them. */
function firstFrom(sorted: readonly string[], name: string): number {
  const bytes = Buffer.from(name)
  let [low, high] = [0, sorted.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if (Buffer.compare(Buffer.from(sorted[middle] ?? ""), bytes) < 0) low = middle + 1
    else high = middle
  }
  return low
}
