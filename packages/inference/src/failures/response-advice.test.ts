import { describe, expect, it } from "vitest"
import { FAILURE_RECORD } from "../testing/failure-record.ts"
import { responseFailure } from "./response-failure.ts"

const adviceFor = (fields: Partial<typeof FAILURE_RECORD>) => responseFailure({ ...FAILURE_RECORD, ...fields }).advice
const PAGE = "<!DOCTYPE html><html></html>"

describe("the advice for a failed response", () => {
  it.each(["http://127.0.0.1:8000/v1", "http://localhost:8000/v1", "http://[::1]:8000/v1", "http://127.0.0.1:9/v1"])(
    "speaks of no proxy if the endpoint is at %s, which is this machine",
    (url) => {
      expect(adviceFor({ url, status: 502, body: "Bad Gateway" })).toContain("the server on this machine")
      expect(adviceFor({ url, status: 400, body: PAGE })).toContain("another program")
    },
  )

  it.each(["https://models.example/v1", "http://10.0.0.5:8000/v1", "http://localhost.example/v1"])(
    "speaks of a proxy if the endpoint is at %s",
    (url) => {
      expect(adviceFor({ url, status: 502, body: "Bad Gateway" })).toContain("a proxy stands in between")
      expect(adviceFor({ url, status: 400, body: PAGE })).toContain("a proxy, a firewall or a login page")
    },
  )

  it.each([
    ["NaN", '{"choices": [{"logprobs": {"content": [{"logprob": NaN}]}}]}'],
    ["-Infinity", '{"choices": [{"logprobs": {"token_logprobs": [-0.1, -Infinity]}}]}'],
    ["Infinity", '{"choices": [], "score": Infinity}'],
  ])("names %s in an answer, which is not JSON because of it", (number, body) => {
    expect(adviceFor({ status: 200, body })).toContain(`its JSON contains ${number}`)
  })

  it("names the log of the server that reports an error in an answer or a stream with status 200", () => {
    const body = '{"error":{"message":"engine died","type":"server_error","code":500}}'
    expect(adviceFor({ status: 200, body })).toContain("look at the log of the model server")
    expect(adviceFor({ status: 200, body: '{"error":{}}' })).toContain("check that the URL belongs")
  })

  it.each(['{"text": ": NaN, "}', "NaN", "It is NaN, they say."])("does not name a number for %j", (body) => {
    expect(adviceFor({ status: 200, body })).toContain("check that the URL belongs to a model server")
  })
})
