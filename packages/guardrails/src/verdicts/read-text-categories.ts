import { splitCategories } from "./split-categories.ts"

/** Reads a list of categories from what stands behind its key. A list that is cut is no list: its last name may be another. */
export function readTextCategories(part: string, isLast: boolean, isCut: boolean): readonly string[] {
  const text = part.replace(/^[\s*`_~\\]{0,100}(?=[^\s*`_~\\])/, "")
  const isList = text.startsWith("[")
  const quote = /^\[?\s{0,20}(["'])/.exec(text)?.[1]
  if (isList || quote !== undefined) return readEnclosed(text, isList ? "]" : (quote ?? '"'), isLast)
  const line = part.replace(/^[ \t*`_~\\]+/, "")
  const end = line.search(/[\n}|]/)
  const first = end < 0 ? line : line.slice(0, end)
  const written = first.trim() === "" ? bulletsOf(line) : first
  const isOpen = isLast && end < 0 && (isCut || /(?:[,;]|(?:^|[\s,;])[SO])\s*$/.test(written))
  return isOpen ? [] : splitCategories(written)
}

function readEnclosed(text: string, closing: string, isLast: boolean): readonly string[] {
  const end = text.indexOf(closing, 1)
  if (end < 0) return isLast ? [] : splitCategories(text.split("\n", 1)[0] ?? "")
  return splitCategories(text.slice(1, end))
}

/** A list whose names stand on lines of their own, each with a bullet. */
function bulletsOf(text: string): string {
  const bullets: string[] = []
  for (const line of text.split("\n").slice(1)) {
    if (!/^\s*[-*•·]\s/.test(line)) break
    bullets.push(line.trim().replace(/^[-*•·]\s+/, ""))
  }
  return bullets.join("\n")
}
