import { scanJsonString } from "./scan-json-string.ts"

/**
 * The keys of a dotted name: `custom_fields.a["b.c"]` has `custom_fields`, `a` and `b.c`. Undefined where the text is no
 * such name.
 */
export function splitFieldName(name: string): readonly string[] | undefined {
  const keys: string[] = []
  let at = 0
  while (at < name.length || keys.length === 0) {
    if (name.startsWith('["', at) && keys.length > 0) {
      const key = scanJsonString(name, at + 1)
      if (key === undefined || name[key.end] !== "]") return undefined
      keys.push(key.value)
      at = key.end + 1
    } else {
      if (keys.length > 0 && name[at] !== ".") return undefined
      const start = keys.length > 0 ? at + 1 : at
      at = endOfKey(name, start)
      if (at === start) return undefined
      keys.push(name.slice(start, at))
    }
  }
  return keys
}

function endOfKey(name: string, start: number): number {
  let end = start
  while (end < name.length && name[end] !== "." && name[end] !== "[") end += 1
  return end
}
