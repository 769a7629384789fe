import { Type } from "@sinclair/typebox"
import { describe, expect, it } from "vitest"
import { createRequestChecks } from "./request-checks.ts"

const compile = createRequestChecks()
const Body = Type.Object(
  { name: Type.String(), size: Type.Integer({ default: 3 }), url: Type.Optional(Type.String()) },
  { additionalProperties: false },
)
const issuesOf = (checked: ReturnType<ReturnType<typeof compile>>) => ("error" in checked ? checked.error.issues : [])

describe("the time at which a schema is compiled", () => {
  const broken = { type: "nothing" }

  it("is that of the first request", () => {
    const check = createRequestChecks()(broken, "path")
    expect(() => check({})).toThrow("type must be JSONType")
  })

  it("is the start, if the checks are eager", () => {
    const eager = createRequestChecks({ isEager: true })
    expect(() => eager(broken, "path")).toThrow("type must be JSONType")
    expect(() => eager(broken, "body")).toThrow("type must be JSONType")
    expect(eager(Body, "body")({ name: "a" })).toEqual({ value: { name: "a", size: 3 } })
  })
})

describe("a value that fits no form of a union", () => {
  const Url = Type.Object({ url: Type.String() })
  it.each([
    [Type.Union([Type.Literal("early"), Type.Literal("never"), Type.Null()]), 'Must be "early", "never" or null'],
    [Type.Union([Type.String(), Url]), "Must be a text or an object with 'url'"],
    [Type.Union([Type.Number({ minimum: 0, maximum: 1 }), Type.Null()]), "Must be a number from 0 to 1 or null"],
  ])("is told what is allowed", (form, msg) => {
    const [issue] = issuesOf(compile(Type.Object({ stop: form }), "body")({ stop: [true] }))
    expect(issue).toMatchObject({ loc: ["body", "stop"], msg, type: "union_error" })
  })
})

describe("the check of a body", () => {
  const check = compile(Body, "body")

  it("fills defaults and converts nothing", () => {
    expect(check({ name: "a" })).toEqual({ value: { name: "a", size: 3 } })
    expect(issuesOf(check({ name: "a", size: "3" }))).toMatchObject([{ loc: ["body", "size"], type: "int_type" }])
  })

  it("reports every error of a small body, and the first one of a large body", () => {
    expect(issuesOf(check({ size: "3" }))).toHaveLength(2)
    const large = Object.fromEntries(Array.from({ length: 6000 }, (_, n) => [`k${n}`, n]))
    expect(issuesOf(check(large))).toHaveLength(1)
  })

  it("reports a missing body", () => {
    for (const value of [undefined, null]) expect(issuesOf(check(value))).toMatchObject([{ type: "missing" }])
  })

  it("refuses a URL with a password before anything else, without showing it", () => {
    const checked = check({ size: "3", url: "https://me:s3cret@example.com" })
    expect(issuesOf(checked)).toHaveLength(1)
    expect(JSON.stringify(issuesOf(checked))).not.toContain("s3cret")
  })
})

describe("the check of query parameters", () => {
  const check = compile(Type.Object({ page_size: Type.Integer(), filter: Type.Optional(Type.String()) }), "query")

  it("converts text to the types of the schema", () => {
    expect(check({ page_size: "5" })).toEqual({ value: { page_size: 5 } })
  })

  it("refuses an unknown parameter, but not the bracketed form of a known one", () => {
    expect(issuesOf(check({ page_size: "5", page_sise: "5" }))).toMatchObject([
      { loc: ["query", "page_sise"], msg: "Unknown query parameter; did you mean 'page_size'?" },
    ])
    expect(issuesOf(check({ page_size: "5", "filter[name]": "a" }))).toEqual([])
    expect(issuesOf(check({ page_size: "5", "page_size[name]": "a" }))).toHaveLength(1)
  })
})
