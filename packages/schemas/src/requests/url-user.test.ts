import { verifies } from "@assay/testkit"
import { describe, expect, it } from "vitest"
import { checkNoUrlUsers, hasUrlUser, maskUrlUser, maskUrlUsers } from "./url-user.ts"

const SECRET = "hunter2"

describe("an address with a user name or a password", () => {
  it.each([
    [`http://me:${SECRET}@host`, "http://***@host"],
    [`https://me:${SECRET}@host:8080/v1?a=b@c#d`, "https://***@host:8080/v1?a=b@c#d"],
    [`https://${SECRET}@host/v1`, "https://***@host/v1"],
    [`https://:${SECRET}@host`, "https://***@host"],
    [`  HTTPS://me:${SECRET}@host `, "  HTTPS://***@host "],
    [`https:me:${SECRET}@host/x`, "https:***@host/x"],
    [`https:/\\me:${SECRET}@host`, "https:/\\***@host"],
    [`ht\ntp://me:${SECRET}@host`, "http://***@host"],
    [`http://me:${SECRET}@x@host/`, "http://***@host/"],
    [`http://me:${SECRET}'"@host/`, "http://***@host/"],
    [`http://me:${SECRET}/more@host:8000`, "http://***@host:8000"],
    [`http://me:${SECRET}@host:99999`, "http://***@host:99999"],
    [`http://me:${SECRET}@`, "http://***@"],
    [`me:${SECRET}@host/v1`, "***@host/v1"],
    [`//me:${SECRET}@host/v1`, "//***@host/v1"],
    [`s3://me:${SECRET}@bucket/key`, "s3://***@bucket/key"],
    [`assay://me:${SECRET}@datasets/default/rows`, "assay://***@datasets/default/rows"],
  ])("is found and hidden: %j", verifies("urls.no-user"), (text, shown) => {
    expect(hasUrlUser(text)).toBe(true)
    expect(maskUrlUser(text)).toBe(shown)
    expect(maskUrlUser(text)).not.toContain(SECRET)
  })

  it.each([
    "http://host",
    "https://host:8080/v1/@scope/x?mail=a@b#c@d",
    "http://[::1]:8000",
    "https://@host",
    "localhost:9000/v1",
    "host",
    "",
    "default/rows@1#a/b@c.jsonl",
    "assay://datasets/default/rows@1/a@b.jsonl",
    "mailto:me@host",
    "not an address",
  ])("is not found in %j", (text) => {
    expect([hasUrlUser(text), maskUrlUser(text)]).toEqual([false, text])
  })
})

describe("an address with a key in its query", () => {
  const KEYS = [
    "key=AIza-1",
    "api-version=1&api_key=k",
    "accessToken=t",
    "x-sig=s",
    "code=c",
    "subscription-key=z",
    "auth=a",
    "subscriptionkey=s",
    "api%5Fke%79=k",
    "%zz=1&token=t",
  ]

  it("is refused in a body, and hidden in records of older versions", () => {
    for (const query of KEYS) {
      const body = { api_endpoint: { url: `https://host/v1?${query}`, model_id: "m" } }
      expect(() => checkNoUrlUsers(body, [])).toThrow(expect.objectContaining({ code: "invalid_request" }))
      const shown = JSON.stringify(maskUrlUsers(body))
      expect([query, shown.includes("***"), shown.includes(query)]).toEqual([query, true, false])
    }
  })

  it("is an address like any other if its query contains no key", () => {
    const body = { url: "https://host/v1?api-version=2024-06-01&deployment=key&monkey=1&max_tokens=5" }
    expect(() => checkNoUrlUsers(body, [])).not.toThrow()
    expect(maskUrlUsers(body)).toBe(body)
  })
})

describe("a body", () => {
  const url = `http://me:${SECRET}@host/v1`

  it.each([
    [{ storage: { type: "objstore", endpoint_url: url } }, "body.storage.endpoint_url"],
    [{ storage: { type: "hub", endpoint: url } }, "body.storage.endpoint"],
    [{ storage: { type: "catalog", host: url } }, "body.storage.host"],
    [{ target: { model: { api_endpoint: { url } } } }, "body.target.model.api_endpoint.url"],
    [{ target: { dataset: { files_url: `hf://me:${SECRET}@datasets/a/b` } } }, "body.target.dataset.files_url"],
    [{ target: { dataset: { hf_endpoint: url } } }, "body.target.dataset.hf_endpoint"],
    [{ config: { tasks: { qa: { dataset: `hf://me:${SECRET}@datasets/a` } } } }, "body.config.tasks.qa.dataset"],
    [
      { config: { tasks: { qa: { metrics: { m: { params: { judge: { model: { url } } } } } } } } },
      /\.judge\.model\.url$/,
    ],
    [
      { data: { models: [{ url: "http://a" }, { parameters: { base_url: url } }] } },
      "body.data.models.1.parameters.base_url",
    ],
    [{ config: { harness: { environment: { OPENAI_BASE_URL: url } } } }, /OPENAI_BASE_URL$/],
    [{ config: { harness: { environment: { HTTPS_PROXY: url } } } }, /HTTPS_PROXY$/],
    [{ config: { harness: { command: ["lm_eval", `base_url=${url},model=m`] } } }, "body.config.harness.command.1"],
    [{ output_files_url: `assay://${SECRET}@datasets/a/b` }, "body.output_files_url"],
    [{ baseUrl: url }, "body.baseUrl"],
    [{ endpoints: ["http://a", url] }, "body.endpoints.1"],
  ])(
    "that contains a user name or password is refused at its location and masked: %j",
    verifies("urls.no-user"),
    (body, loc) => {
      let message = ""
      try {
        checkNoUrlUsers(body, ["body"])
      } catch (error) {
        message = JSON.stringify([error, String(error)])
        expect(error).toMatchObject({ code: "invalid_request", issues: [{ type: "url_user" }] })
      }
      expect(message).not.toContain(SECRET)
      expect(/AssayError: ([^ ]+): An address/.exec(message)?.[1]).toEqual(
        typeof loc === "string" ? loc : expect.stringMatching(loc),
      )
      const shown = maskUrlUsers(body)
      expect(JSON.stringify(shown)).not.toContain(SECRET)
      expect(() => checkNoUrlUsers(JSON.parse(JSON.stringify(shown).replaceAll("***@", "")), ["body"])).not.toThrow()
    },
  )

  it("can contain one as data: in rows, messages, templates and custom fields", () => {
    const body = {
      target: { rows: [{ url }] },
      messages: [{ content: [{ image_url: { url } }] }],
      template: `Ask ${url}`,
      custom_fields: { homepage_url: url },
    }
    expect(() => checkNoUrlUsers(body, ["body"])).not.toThrow()
    expect(maskUrlUsers(body)).toBe(body)
  })

  it("that is deeper than any record is checked in bounded time", () => {
    let body: unknown = url
    for (let depth = 0; depth < 100_000; depth++) body = { url: body }
    expect(() => checkNoUrlUsers(body, ["body"])).not.toThrow()
    const long = `http://${"a:".repeat(500_000)}`
    expect([hasUrlUser(long), maskUrlUser(`${long}@`)]).toEqual([false, "http://***@"])
  })
})
