import { verifies } from "@assay/testkit"
import { expect, it } from "vitest"
import { classifyFailure } from "../failures/classify-failure.ts"
import { FAILURE_RECORD } from "../testing/failure-record.ts"
import { isRepeatable } from "./is-repeatable.ts"

it.each([
  ["ECONNREFUSED", true],
  ["ECONNRESET", true],
  ["EAI_AGAIN", true],
  ["UND_ERR_SOCKET", true],
  ["UND_ERR_CONNECT_TIMEOUT", true],
  ["ENOTFOUND", false],
  ["CERT_HAS_EXPIRED", false],
  ["ERR_SSL_WRONG_VERSION_NUMBER", false],
  ["UND_ERR_DESTROYED", false],
  ["host_not_allowed", false],
])("isRepeatable of a connection that failed with %s is %s", verifies("inference.retry"), (code, expected) => {
  const record = {
    ...FAILURE_RECORD,
    broke: new Error("fetch failed", { cause: Object.assign(new Error("x"), { code }) }),
  }
  expect(isRepeatable(classifyFailure(record), record)).toBe(expected)
})

it.each([
  [{ status: 500, body: '{"error":"CUDA out of memory"}' }, false],
  [{ status: 503, body: '{"error":"Loading model"}' }, true],
  [{ status: 429, body: '{"error":{"code":"insufficient_quota"}}', headers: { "x-should-retry": "true" } }, false],
  [{ status: 200, body: "<html>" }, false],
  [{ status: 500, body: "", timedOutMs: 10 }, false],
])("isRepeatable of %j is %s", verifies("inference.retry"), (more, expected) => {
  const record = { ...FAILURE_RECORD, ...more }
  expect(isRepeatable(classifyFailure(record), record)).toBe(expected)
})
