import { AssayError } from "@assay/schemas"
import { describe, expect, it } from "vitest"
import { resolveEndpointUrl } from "./resolve-endpoint-url.ts"
import { HELLO, openTestClient } from "../testing/open-test-client.ts"

describe("the URL of an endpoint", () => {
  it.each([
    ["https://h", "https://h/v1"],
    ["https://h/", "https://h/v1"],
    ["https://h/v1", "https://h/v1"],
    ["https://h/v1/", "https://h/v1"],
    ["https://h/v1/chat/completions", "https://h/v1"],
    ["https://h/api/chat/completions/", "https://h/api"],
    ["https://h/v1/models", "https://h/v1"],
    ["https://h/proxy", "https://h/proxy/v1"],
    ["https://h/v1beta/openai", "https://h/v1beta/openai"],
    [" http://[::1]:8000/v1 ", "http://[::1]:8000/v1"],
    ["https://user:secret@h/v1?key=secret", "https://h/v1"],
  ])("%s stands for %s [inference.url-forms]", (text, base) => {
    expect(resolveEndpointUrl(text)).toMatchObject({ base, shown: base })
  })

  it.each([
    ["localhost:8000/v1", "write 'http://localhost:8000/v1'"],
    ["models.internal", "it has no scheme"],
    ["ftp://h/v1", "'ftp:' is not a scheme"],
    ["http://h:70000/v1", "port 70000 is above 65535"],
    ["http://h:0/v1", "port 0"],
    ["http://", "can't be read"],
    ["https://u:hidden@h:99999/?k=hidden", "port 99999"],
  ])("%s is refused with what to write instead [inference.url-forms]", (text, said) => {
    const refuse = () => resolveEndpointUrl(text)
    expect(refuse).toThrow(AssayError)
    expect(refuse).toThrow(expect.objectContaining({ code: "inference_unreachable" }) as Error)
    expect(refuse).toThrow(said)
    expect(refuse).not.toThrow("hidden")
  })

  it.each(["", "/", "/v1", "/v1/chat/completions"])(
    "with '%s' leads to the same place [inference.url-forms]",
    async (path) => {
      const { client, server } = await openTestClient({ url: (url) => url + path })
      await client.complete(HELLO)
      expect(server.requests[0]?.url).toBe("/v1/chat/completions")
    },
  )

  it("keeps its query, and its user where there is no key", async () => {
    const { client, server } = await openTestClient({
      url: (url) => `${url.replace("//", "//ann:s%40cret@")}/v1?api-version=2`,
      endpoint: { apiKey: "" },
    })
    await client.complete(HELLO)
    expect(server.requests[0]?.url).toBe("/v1/chat/completions?api-version=2")
    expect(server.requests[0]?.headers.authorization).toBe(`Basic ${btoa("ann:s@cret")}`)
  })
})
