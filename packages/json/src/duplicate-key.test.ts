import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { findDuplicateKey } from "./duplicate-key.ts"
import { parseUniqueJson } from "./parse-unique-json.ts"
import { parseExactJson } from "./parse-exact-json.ts"

/** A value whose objects are lists of members, so that they can have a key twice. */
type Tree = string | readonly Tree[] | { readonly members: readonly (readonly [string, Tree])[] }

const TEXT = fc.string({ unit: fc.constantFrom('"', "\\", ":", " ", "{", "}", "a", "é", "\n"), maxLength: 6 })
/**
 * After V8 (Node 24.21) has parsed an object with the key `\\`, it reads an escaped key such as `\\u0061` at the same position of a similar object
 * as `\\` too. Keys that begin with a backslash are left out, because no reader of parsed values can distinguish them.
 */
const KEY = fc.oneof(
  fc.constantFrom("a", "b", "__proto__", "constructor", "1"),
  TEXT.filter((text) => !text.startsWith("\\")),
)
const SCALAR = fc.oneof(
  TEXT.map((text) => JSON.stringify(text)),
  fc.constantFrom("null", "1", "1.50", "true"),
)
const { tree: TREE } = fc.letrec<{ tree: Tree }>((tie) => ({
  tree: fc.oneof(
    { depthSize: "small" },
    SCALAR,
    fc.array(tie("tree"), { maxLength: 3 }),
    fc.record({ members: fc.array(fc.tuple(KEY, tie("tree")), { maxLength: 4 }) }),
  ),
}))

function write(tree: Tree, space: string, isEscaped: boolean): string {
  if (typeof tree === "string") return tree
  if (!("members" in tree)) return `[${tree.map((part) => write(part, space, isEscaped)).join(`,${space}`)}]`
  const members = tree.members.map(([key, part], index) => {
    const text = JSON.stringify(key)
    // Every second key is written with escapes.
    const written = isEscaped && index % 2 === 1 ? text.replaceAll("a", "\\u0061") : text
    return `${written}${space}:${write(part, space, isEscaped)}`
  })
  return `{${space}${members.join(",")}${space}}`
}

function hasTwice(tree: Tree): boolean {
  if (typeof tree === "string") return false
  if (!("members" in tree)) return tree.some(hasTwice)
  return (
    new Set(tree.members.map(([key]) => key)).size < tree.members.length ||
    tree.members.some(([, part]) => hasTwice(part))
  )
}

const find = (text: string) => {
  const { value, hasExact } = parseExactJson(text)
  return findDuplicateKey(text, value, hasExact)
}

describe("a key that an object has twice", () => {
  it("is found in every JSON text, and only there", () => {
    let found = 0
    fc.assert(
      fc.property(TREE, fc.constantFrom("", " ", "\n\t "), fc.boolean(), (tree, space, isEscaped) => {
        const isTwice = hasTwice(tree)
        if (isTwice) found += 1
        expect(find(write(tree, space, isEscaped)) !== undefined).toBe(isTwice)
      }),
      { numRuns: 1000 },
    )
    expect(found).toBeGreaterThan(30)
  })

  it("is named as it is read, with the position of the second one", () => {
    expect(find('{"a":[{"b":1,"\\u0062" : ":x"}]}')).toEqual({ key: "b", at: 13 })
    expect(find('{"b":{"a":":"},"a":{"a":" :"}}')).toBeUndefined()
  })

  it("is found in deep and in large values in a time that grows with the text", () => {
    const deep = `${'{"a":'.repeat(20_000)}{"b":1,"b":2}${"}".repeat(20_000)}`
    expect(find(deep)?.key).toBe("b")
    const wide = `{${Array.from({ length: 40_000 }, (_, index) => `"${index}":":"`).join(",")},"7":1}`
    expect(find(wide)).toEqual({ key: "7", at: wide.length - 6 })
    expect(find(`{"a":"${"\\".repeat(200_000)}","b"${" ".repeat(200_000)}:1}`)).toBeUndefined()
  })
})

it("parseUniqueJson refuses an object with a key twice, and keeps the digits of numbers", () => {
  expect(JSON.stringify(parseUniqueJson('{"a":9007199254740993}'))).toBe('{"a":9007199254740993}')
  expect(() => parseUniqueJson('{"a":1,"b":{"c":1,"\\u0063":2}}')).toThrow("The key 'c' is there twice.")
})
