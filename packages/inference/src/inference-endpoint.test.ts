import { AssayError } from "@assay/schemas"
import { verifies } from "@assay/testkit"
import { describe, expect, it } from "vitest"
import { resolveEndpointUrl } from "./inference-endpoint.ts"
import { failureOf, HELLO, openTestClient } from "./testing/open-test-client.ts"

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
    ["https://h/v1?api-version=1", "https://h/v1"],
  ])("%s has the base %s", verifies("inference.url-forms"), (text, base) => {
    expect(resolveEndpointUrl(text)).toMatchObject({ base, shown: base })
  })

  it.each([
    ["https://h/v1?key=hidden", "its query contains a key"],
    ["localhost:8000/v1", "write 'http://localhost:8000/v1'"],
    ["models.internal", "it has no scheme"],
    ["ftp://h/v1", "'ftp:' is not a supported scheme"],
    ["http://h:70000/v1", "port 70000 is above 65535"],
    ["http://h:0/v1", "port 0"],
    ["http://", "can't be read"],
    ["https://h:99999/?k=hidden", "port 99999"],
    ["https://u:hidden@h:99999/?k=hidden", "'https://***@h:99999/' is not the URL"],
    ["https://u:hidden@h/v1", "leave them out"],
    ["https:u:hidden@h/v1", "leave them out"],
    ["https://hidden@h/v1", "leave them out"],
    ["u:hidden@h/v1", "leave them out"],
  ])(
    "%s is refused, and the message says what to write instead",
    verifies("inference.url-forms", "urls.no-user"),
    (text, said) => {
      const refuse = () => resolveEndpointUrl(text)
      expect(refuse).toThrow(AssayError)
      expect(refuse).toThrow(expect.objectContaining({ code: "inference_unreachable" }) as Error)
      expect(refuse).toThrow(said)
      expect(refuse).not.toThrow("hidden")
    },
  )

  it.each(["", "/", "/v1", "/v1/chat/completions"])(
    "that ends in '%s' reaches the same path",
    verifies("inference.url-forms"),
    async (path) => {
      const { client, server } = await openTestClient({ url: (url) => url + path })
      await client.complete(HELLO)
      expect(server.requests[0]?.url).toBe("/v1/chat/completions")
    },
  )

  it("keeps its query in each request", async () => {
    const { client, server } = await openTestClient({ url: (url) => `${url}/v1?api-version=2` })
    await client.complete(HELLO)
    expect(server.requests[0]?.url).toBe("/v1/chat/completions?api-version=2")
  })

  it(
    "with a user name is never called, and a redirect to such a URL is not followed",
    verifies("urls.no-user"),
    async () => {
      const named = await openTestClient({ url: (url) => url.replace("//", "//ann:s3cret@"), maxRetries: 0 })
      expect(await failureOf(named.client.complete(HELLO))).toMatchObject({ code: "inference_unreachable" })
      expect(named.server.requests).toEqual([])
      const { client, server } = await openTestClient({ maxRetries: 0 })
      const location = `${server.url.replace("//", "//ann:s3cret@")}/v1/chat/completions`
      server.faults.add({ fault: { kind: "answer", status: 307, headers: { location }, body: "" } })
      const error = await failureOf(client.complete(HELLO))
      expect(error.message).toContain("//***@127.0.0.1")
      expect(JSON.stringify([error.message, error.context])).not.toContain("s3cret")
      expect(server.requests).toHaveLength(1)
    },
  )
})
