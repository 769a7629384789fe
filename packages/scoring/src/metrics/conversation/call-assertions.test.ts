import { describe, expect, it } from "vitest"
import { type CallAssertion, scoreCalls } from "./call-assertions.ts"

/** Calls without arguments, and with an `id` after a colon. A call with an exclamation mark was refused. */
const calls = (text: string) =>
  text.split(" ").flatMap((word) => {
    const [name = "", id] = word.replace("!", "").split(":")
    const refused = word.endsWith("!")
    return name === "" ? [] : [{ name, arguments: id === undefined ? {} : { id, more: 1 }, refused }]
  })
const expected = (text: string) =>
  calls(text).map(({ name, arguments: { id } }) => (id === undefined ? { name } : { name, arguments: { id } }))

describe("an assertion about calls", () => {
  it.each([
    ["exact", "a b", "a b", 1],
    ["exact", "a b c", "a b", 0],
    ["exact", "b a", "a b", 0],
    ["exact", "a:1", "a:2", 0],
    ["exact", "", "", 1],
    ["in_order", "x a y b z", "a b", 1],
    ["in_order", "b a", "a b", 0],
    ["in_order", "a", "a a", 0],
    ["in_order", "a:1 a:2", "a:2", 1],
    ["in_order", "a! b", "a b", 0],
    ["in_order", "a! a b", "a b", 1],
    ["exact", "a! a", "a", 0],
    ["any_order", "a!", "a", 0],
    ["only", "a!", "a", 0],
    ["recall", "a! b", "a b", 0.5],
    ["any_order", "b x a", "a b", 1],
    ["any_order", "a b", "a a", 0],
    // The call with id 1 fits both expected calls, and one of them fits no other call.
    ["any_order", "a:1 a:2", "a a:1", 1],
    ["only", "b a", "a b c", 1],
    ["only", "a a", "a b", 0],
    ["only", "", "a", 1],
    ["precision", "a b x y", "a b", 0.5],
    ["precision", "", "a", 0],
    ["precision", "", "", 1],
    ["recall", "a x", "a b c d", 0.25],
    ["recall", "a", "", 0],
    ["recall", "", "", 1],
  ] as const)("%s of %j against %j is %d", (kind, made, wanted, score) => {
    expect(scoreCalls(calls(made), { kind, calls: expected(wanted) })).toBe(score)
  })

  it.each([
    ["", "a", undefined, 1],
    ["b", "a", undefined, 1],
    ["b a", "a", undefined, 0],
    ["b a", "a", "b", 1],
    ["a b", "a", "b", 0],
    ["a", "a", "b", 0],
    ["b a b", "a", "b", 1],
    ["x", "a", "b", 1],
    ["b! a", "a", "b", 0],
    ["a! b", "a", undefined, 0],
  ] as const)("never, of %j: %s before %s is %d", (made, tool, before, score) => {
    const assertion: CallAssertion = { kind: "never", tool, before }
    expect(scoreCalls(calls(made), assertion)).toBe(score)
  })

  it("matches 200 calls that fit each other in bounded time", () => {
    const many = Array.from({ length: 200 }, () => ({ name: "a", arguments: {} }))
    const before = performance.now()
    expect(scoreCalls(many, { kind: "recall", calls: many })).toBe(1)
    expect(performance.now() - before).toBeLessThan(1000)
  })
})
