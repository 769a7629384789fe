import { runBounded, verifies } from "@assay/testkit"
import { expect, it } from "vitest"
import { classifyText } from "./text-signals.ts"

it.each([
  [
    "requests.exceptions.SSLError: HTTPSConnectionPool(host='h', port=443): Max retries exceeded with url: /v1 (Caused by SSLError(SSLCertVerificationError(1, '[SSL: CERTIFICATE_VERIFY_FAILED]')))",
    "inference_tls",
  ],
  [
    "HTTPConnectionPool(host='h', port=80): Max retries exceeded with url: / (Caused by NewConnectionError('Failed to establish a new connection: [Errno 111] Connection refused'))",
    "inference_unreachable",
  ],
  [
    "(Caused by NameResolutionError(\"Failed to resolve 'h' ([Errno -3] Temporary failure in name resolution)\"))",
    "inference_unreachable",
  ],
  ["openai.APIConnectionError: Connection error.", "inference_unreachable"],
  ["httpx.ConnectError: All connection attempts failed", "inference_unreachable"],
  ["openai.APITimeoutError: Request timed out.", "request_timeout"],
  ["requests.exceptions.ReadTimeout: Read timed out. (read timeout=60)", "request_timeout"],
  ["openai.AuthenticationError: Error code: 401 - {'error': {'code': 'invalid_api_key'}}", "inference_unauthorized"],
  ["openai.RateLimitError: Error code: 429 - {'error': {'code': 'insufficient_quota'}}", "quota_exhausted"],
  ["litellm.RateLimitError: too many requests", "rate_limited"],
  ["Error code: 404 - The model `m` does not exist.", "model_not_found"],
  ["This model's maximum context length is 4096 tokens. However, you requested 5000 tokens", "context_overflow"],
  ["torch.OutOfMemoryError: CUDA out of memory.", "server_out_of_memory"],
  ["INFO: 200 OK, 12 rows scored", undefined],
  ["", undefined],
])("classifyText classifies the line %j as %s", verifies("inference.python-signals"), (text, code) => {
  expect(classifyText(text)).toBe(code)
})

it("classifyText reads the first 16,384 characters of a line, so that a hostile line costs no more", () => {
  const line = "torch.OutOfMemoryError: CUDA out of memory."
  const before = (length: number) => `${"x".repeat(length - 1)} ${line}`
  expect(classifyText(before(16_384 - line.length))).toBe("server_out_of_memory")
  expect(classifyText(before(16_384))).toBeUndefined()
  for (const piece of ["model 'a", "tools ", "engine ", "[SSL: A", "connect_error "])
    runBounded(() => classifyText(piece.repeat(100_000)))
})
