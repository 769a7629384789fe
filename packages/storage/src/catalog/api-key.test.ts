import { describe, expect, it } from "vitest"
import { parseApiKey } from "./api-key.ts"

const TARGET = { storage: "catalog", place: "model 'a/b'", operation: "open" } as const

describe("parseApiKey", () => {
  it.each([
    ["nvapi-AbC_1-2", "bearer"],
    ["TmljZTogYW4gb2xkZXIga2V5LCBpbiBiYXNlNjQgYXMgYWxsIG9mIHRoZW0gYXJlCg==", "exchanged"],
  ])("detects the kind of %s", (value, kind) => {
    expect(parseApiKey(value, "key", TARGET)).toEqual({ kind, value })
  })

  it.each([
    ["", "is empty"],
    [" \n", "is empty"],
    ["hf_abcdefgh", "is a token of Hugging Face"],
    ["AKIAIOSFODNN7EXAMPLE", "is an access key id of AWS"],
    ["ghp_abcdefgh", "is a token of GitHub"],
    ["glpat-abcdefgh", "is a token of GitLab"],
    ["sk-abcdefgh", "is a key of a model API"],
    ["eyJhbGciOi.eyJzdWIi.c2ln", "is a token that expires within minutes"],
    ["Bearer nvapi-abcdefgh", "is a whole header"],
    ["-----BEGIN PRIVATE KEY-----\nabcdefgh", "is a certificate or a private key"],
    ["nvapi-abc\nnvapi-def", "has more than one line"],
    ["nvapi-abcdefgh\n", "has more than one line"],
    [" nvapi-abcdefgh", "has a space in it"],
    ["nvapi-ab\u0000cdefgh", "has characters that no key has"],
    ["nvapi-ábcdefgh", "has characters that no key has"],
  ])("refuses %j without showing it, and names the valid kinds", (value, fault) => {
    const parse = () => parseApiKey(value, "ws/key", TARGET)
    expect(parse).toThrow(
      `the value of secret 'ws/key' ${fault}; set the secret to a personal or service key, which begins with 'nvapi-'`,
    )
    expect(parse).not.toThrow("bcdefgh")
  })
})
