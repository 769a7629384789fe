import { describe, expect, it } from "vitest"
import { CreateFileset } from "@assay/schemas"
import { compileCheck } from "./compile-check.ts"

const check = compileCheck(CreateFileset)
const messageFor = (body: object) => {
  const checked = check({ name: "reviews", ...body })
  return checked.valid ? undefined : checked.issues[0]?.msg
}

describe("the message about an unknown field", () => {
  it("suggests the field that was probably meant", () => {
    expect(messageFor({ descripton: "x" })).toBe("Unknown field 'descripton'; did you mean 'description'?")
  })

  it("suggests the path of a field that was given one level too high", () => {
    expect(messageFor({ metadata: { schema: {} } })).toBe("Unknown field 'schema'; did you mean 'dataset.schema'?")
  })

  it("lists the fields of an object with few fields", () => {
    expect(messageFor({ metadata: { rows: 1 } })).toMatch(/^Unknown field 'rows'; the fields here are 'dataset', /)
  })

  it("suggests nothing for a name of many kilobytes", () => {
    expect(messageFor({ ["d".repeat(20_000)]: 1 })).toMatch(/the fields here are|it is not allowed here/)
  })
})
