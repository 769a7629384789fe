import { describe, expect, it } from "vitest"
import { FAILURE_RECORD } from "../testing/failure-record.ts"
import { classifyFailure } from "./classify-failure.ts"

const json = (message: string, more: object = {}) => JSON.stringify({ error: { message, ...more } })

describe("an answer", () => {
  it.each([
    [404, json("x", { code: "model_not_found" }), "model_not_found"],
    [404, json("The model `m` does not exist."), "model_not_found"],
    [404, json("model 'm' not found, try pulling it first"), "model_not_found"],
    [
      404,
      '{"status":404,"title":"Not Found","detail":"Function \'1\': Not found for account \'2\'"}',
      "model_not_found",
    ],
    [400, json("litellm.BadRequestError: Invalid model name passed in model=m"), "model_not_found"],
    [404, '{"detail":"Not Found"}', "inference_unreachable"],
    [404, "404 page not found", "inference_unreachable"],
    [405, '{"detail":"Method Not Allowed"}', "inference_unreachable"],
    [401, json("anything"), "inference_unauthorized"],
    [403, '{"status":403,"title":"Forbidden","detail":"Authorization failed"}', "inference_unauthorized"],
    [400, json("No api key passed in."), "inference_unauthorized"],
    [403, "<html><body>Blocked by the firewall</body></html>", "bad_response"],
    [400, json("x", { code: "context_length_exceeded" }), "context_overflow"],
    [500, json("x", { type: "exceed_context_size_error", n_prompt_tokens: 9, n_ctx: 4 }), "context_overflow"],
    [200, json("x", { type: "exceed_context_size_error", n_prompt_tokens: 9, n_ctx: 4 }), "context_overflow"],
    [422, '{"error":"`inputs` tokens + `max_new_tokens` must be <= 4","error_type":"validation"}', "context_overflow"],
    [429, json("slow", { code: "rate_limit_exceeded" }), "rate_limited"],
    [429, '{"error":"Model is overloaded","error_type":"overloaded"}', "rate_limited"],
    [503, "<Error><Code>SlowDown</Code></Error>", "server_overloaded"],
    [429, json("x", { type: "insufficient_quota" }), "quota_exhausted"],
    [402, "", "quota_exhausted"],
    [400, json("Your credit balance is too low"), "quota_exhausted"],
    [403, json("Insufficient credits"), "quota_exhausted"],
    [400, json("Budget has been exceeded! Current cost: 1"), "quota_exhausted"],
    [503, json("Loading model", { code: 503 }), "model_loading"],
    [503, json("server busy, please try again.  maximum pending requests exceeded"), "server_overloaded"],
    [529, json("Overloaded"), "server_overloaded"],
    [503, '{"error":"unhealthy","error_type":"healthcheck"}', "server_overloaded"],
    [500, json("model requires more system memory (9 GiB) than is available (7 GiB)"), "server_out_of_memory"],
    [500, json("EngineDeadError: engine core is dead"), "server_out_of_memory"],
    [400, json("Unsupported parameter: 'max_tokens' is not supported with this model."), "parameter_unsupported"],
    [400, json("guided_json is not supported by the backend"), "parameter_unsupported"],
    [400, json("json_schema response_format is unavailable now"), "parameter_unsupported"],
    [
      422,
      '{"detail":[{"type":"extra_forbidden","loc":["body","x"],"msg":"Extra inputs are not permitted"}]}',
      "parameter_unsupported",
    ],
    [400, json("messages must not be empty"), "bad_response"],
    [408, "", "request_timeout"],
    [504, "<html>504 Gateway Time-out</html>", "inference_unreachable"],
    [502, "<html>502 Bad Gateway</html>", "inference_unreachable"],
    [503, "upstream connect error or disconnect/reset before headers", "inference_unreachable"],
    [500, json("requests.exceptions.SSLError: CERTIFICATE_VERIFY_FAILED"), "inference_tls"],
    [
      500,
      '{"detail":"HTTPConnectionPool: Max retries exceeded (Caused by NewConnectionError)"}',
      "inference_unreachable",
    ],
    [400, "The plain HTTP request was sent to HTTPS port", "inference_tls"],
    [400, "Client sent an HTTP request to an HTTPS server.", "inference_tls"],
    [200, "<!DOCTYPE html><html>Sign in</html>", "bad_response"],
    [200, "", "bad_response"],
    [200, '{"id":"1"}', "bad_response"],
    [200, '{"choices"', "bad_response"],
    [200, json("Rate limit exceeded", { code: 429 }), "rate_limited"],
    [200, json("No cookie auth", { code: 401 }), "inference_unauthorized"],
    [307, "", "bad_response"],
  ])("of %i with %s is %#", (status, body, code) => {
    expect(classifyFailure({ ...FAILURE_RECORD, status, body }).code).toBe(code)
  })

  it("is not classified by the text of the request that it repeats", () => {
    const detail = [{ type: "missing", loc: ["body", "model"], msg: "Field required", input: "CUDA out of memory" }]
    expect(classifyFailure({ ...FAILURE_RECORD, status: 422, body: JSON.stringify({ detail }) }).code).toBe(
      "bad_response",
    )
  })
})

function chain(code: string): Error {
  const inner = Object.assign(new Error("inner"), { code })
  return new TypeError("fetch failed", { cause: new AggregateError([inner, new Error("other")]) })
}

describe("a chain of causes", () => {
  it.each([
    ["ECONNREFUSED", "inference_unreachable", "Nothing listens at h:8000"],
    ["ENOTFOUND", "inference_unreachable", "not known"],
    ["EAI_AGAIN", "inference_unreachable", "looked up"],
    ["EHOSTUNREACH", "inference_unreachable", "can't be reached"],
    ["ENETUNREACH", "inference_unreachable", "can't be reached"],
    ["ETIMEDOUT", "inference_unreachable", "does not answer a connection"],
    ["UND_ERR_CONNECT_TIMEOUT", "inference_unreachable", "does not answer a connection"],
    ["ECONNRESET", "inference_unreachable", "reset"],
    ["EPIPE", "inference_unreachable", "closed"],
    ["UND_ERR_SOCKET", "inference_unreachable", "closed"],
    ["DEPTH_ZERO_SELF_SIGNED_CERT", "inference_tls", "self-signed"],
    ["SELF_SIGNED_CERT_IN_CHAIN", "inference_tls", "authority that is not trusted"],
    ["UNABLE_TO_VERIFY_LEAF_SIGNATURE", "inference_tls", "issuer that is not known"],
    ["UNABLE_TO_GET_ISSUER_CERT_LOCALLY", "inference_tls", "intermediate certificates"],
    ["CERT_HAS_EXPIRED", "inference_tls", "expired"],
    ["CERT_NOT_YET_VALID", "inference_tls", "not valid yet"],
    ["ERR_TLS_CERT_ALTNAME_INVALID", "inference_tls", "another name"],
    ["ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION", "inference_tls", "speaks only versions of TLS before 1.2"],
    ["ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED", "inference_tls", "client certificate"],
    ["ERR_SSL_WRONG_VERSION_NUMBER", "inference_tls", "use 'http://h:8000/v1'"],
    ["HPE_INVALID_CONSTANT", "bad_response", "not HTTP"],
  ])("that ends in %s is %s", (code, expected, said) => {
    const { reason, advice, code: found } = classifyFailure({ ...FAILURE_RECORD, broke: chain(code) })
    expect(found).toBe(expected)
    expect(`${reason}; ${advice}`).toContain(said)
    expect(`${reason}; ${advice}`).not.toMatch(/verif(y|ication)( is)? (off|disabled)|rejectUnauthorized|insecure/i)
  })
})
