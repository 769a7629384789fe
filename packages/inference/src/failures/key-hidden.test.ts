import { inspect } from "node:util"
import { type InferenceFault, PERSONALITIES, verifies } from "@assay/testkit"
import { expect, it } from "vitest"
import { describeFailure } from "./inference-error.ts"
import { failureOf, HELLO, openTestClient, TEST_KEY } from "../testing/open-test-client.ts"

const ECHO = `You sent Authorization: Bearer ${TEST_KEY}, that is ${TEST_KEY} or ${encodeURIComponent(TEST_KEY)}`
const FAULTS: readonly InferenceFault[] = [
  { kind: "condition", condition: "unauthorized" },
  { kind: "answer", status: 401, body: { error: { message: ECHO, code: TEST_KEY, param: TEST_KEY } } },
  { kind: "answer", status: 500, headers: { "x-request-id": TEST_KEY }, body: ECHO },
  { kind: "answer", status: 200, body: `<html>${ECHO.repeat(100)}</html>` },
  { kind: "answer", status: 302, headers: { location: `https://h/?key=${TEST_KEY}` }, body: "" },
  { kind: "answer", status: 400, body: `${"x".repeat(4090)}${TEST_KEY}` },
  { kind: "html" },
  { kind: "empty" },
  { kind: "error-in-success", message: ECHO },
  { kind: "no-choices" },
  { kind: "broken-json" },
  { kind: "not-http" },
  { kind: "redirect-loop" },
  { kind: "hang" },
  { kind: "hang-in-body", after: 5 },
  { kind: "reset" },
  { kind: "cut", after: 20 },
]

function everythingOf(error: unknown): string {
  const shown = inspect(error, { depth: Infinity, showHidden: true, maxStringLength: null, maxArrayLength: null })
  const cause = error instanceof Error ? error.cause : undefined
  const own = JSON.stringify(error, Object.getOwnPropertyNames(error))
  return [shown, JSON.stringify(error), own, String(error), cause === undefined ? "" : everythingOf(cause)].join("\n")
}

it.each(FAULTS)("the key does not appear in the error of $kind", verifies("inference.key-hidden"), async (fault) => {
  const { client, server } = await openTestClient({ maxRetries: 1, timeoutMs: 60 })
  server.faults.add({ fault })
  const told: unknown[] = []
  const complete = failureOf(client.complete(HELLO, { onRetry: (retry) => told.push(retry.error) }))
  const stream = failureOf(Array.fromAsync(client.stream(HELLO)))
  const errors = [await complete, await stream, ...told]
  for (const error of errors) {
    expect(everythingOf(error)).not.toContain(TEST_KEY.slice(0, 12))
    expect(JSON.stringify(describeFailure(error))).not.toContain(TEST_KEY)
  }
})

it.each(PERSONALITIES)(
  "the key does not appear in the error from %s, which repeats it",
  verifies("inference.key-hidden"),
  async (personality) => {
    const { client } = await openTestClient({ server: { personality, key: "another" } })
    const error = await failureOf(client.complete(HELLO))
    expect(error.code).toBe("inference_unauthorized")
    expect(everythingOf(error)).not.toContain(TEST_KEY)
  },
)

it("the password of a URL does not appear in an error", verifies("inference.key-hidden"), async () => {
  const { client, server } = await openTestClient({
    url: (url) => `${url.replace("//", "//ann:s3cret-password@")}?token=s3cret-query`,
    endpoint: { apiKey: "" },
    maxRetries: 0,
  })
  server.faults.add({ fault: { kind: "reset" } })
  expect(everythingOf(await failureOf(client.complete(HELLO)))).not.toContain("s3cret")
})

it("a key that a header can't hold is refused without being shown", verifies("inference.key-hidden"), async () => {
  const { client } = await openTestClient({ endpoint: { apiKey: "tk-\u{1f511}5e0c91" } })
  const error = await failureOf(client.complete(HELLO))
  expect(error.code).toBe("inference_unauthorized")
  expect(everythingOf(error)).not.toContain("5e0c91")
})
