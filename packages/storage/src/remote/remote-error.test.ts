import { assert, pre, property, string } from "fast-check"
import { describe, expect, it } from "vitest"
import { cleanMessage } from "./remote-error.ts"

describe("cleanMessage", () => {
  it.each([
    ["Access\n\tdenied ", "Access denied"],
    ["see https://host/x?X-Amz-Signature=abc&y=1 now", "see https://host/x?*** now"],
    ["Authorization: Bearer hf_abcdefghij", "Authorization: Bearer ***"],
    ["AWS AKIA12345:abcdef=", "AWS ***"],
    ['Signature="0123456789abcdef"', 'Signature=***"'],
    ["x".repeat(400), `${"x".repeat(300)}…`],
  ])("cleans %j", (text, clean) => {
    expect(cleanMessage(text)).toBe(clean)
  })

  it("removes the given secrets", () => {
    assert(
      property(string({ minLength: 8 }), string(), string(), (secret, before, after) => {
        pre(!"***".includes(secret) && !/\s/.test(secret))
        expect(cleanMessage(`${before}${secret}${after}`, [secret])).not.toContain(secret)
      }),
    )
  })
})
