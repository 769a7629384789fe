import { CreateFileset } from "@assay/schemas"
import { describe, expect, it } from "vitest"
import { compileCheck } from "./compile-check.ts"

const check = compileCheck(CreateFileset)
const messageFor = (body: object) => {
  const checked = check({ name: "reviews", ...body })
  return checked.valid ? undefined : checked.issues[0]?.msg
}

describe("the message about an unknown field", () => {
  it("names the field that was misspelt", () => {
    expect(messageFor({ descripton: "x" })).toBe("Unknown field 'descripton'; did you mean 'description'?")
  })

  it("names the place of a field that was given one level too high", () => {
    expect(messageFor({ metadata: { schema: {} } })).toBe("Unknown field 'schema'; did you mean 'dataset.schema'?")
  })

  it("lists the fields of an object that has few", () => {
    expect(messageFor({ metadata: { rows: 1 } })).toMatch(/^Unknown field 'rows'; the fields here are 'dataset', /)
  })

  it("makes no guess about a name of many kilobytes", () => {
    expect(messageFor({ ["d".repeat(20_000)]: 1 })).toMatch(/the fields here are|it is not allowed here/)
  })
})
