import { describe, expect, it } from "vitest"
import type { SignableRequest } from "./canonical-request.ts"
import { parseSignature } from "./parse-signature.ts"
import { type VerifyOptions, verifySignature } from "./verify-signature.ts"

/** The examples of the documentation of S3: "Signature Calculations for the Authorization Header" and "Using Query Parameters". */
const SECRET = "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY"
const CREDENTIAL = "AKIAIOSFODNN7EXAMPLE/20130524/us-east-1/s3/aws4_request"
const EMPTY = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
const NOW = Date.parse("2013-05-24T00:00:00Z")
const host = "examplebucket.s3.amazonaws.com"

const request = (method: string, url: string, headers: Readonly<Record<string, string>>): SignableRequest => ({
  method,
  url,
  host,
  rawHeaders: Object.entries({ Host: host, ...headers }).flat(),
})

const signed = (names: string, signature: string, headers: Readonly<Record<string, string>>, hash = EMPTY) => ({
  ...headers,
  "x-amz-date": "20130524T000000Z",
  "x-amz-content-sha256": hash,
  Authorization: `AWS4-HMAC-SHA256 Credential=${CREDENTIAL},SignedHeaders=${names},Signature=${signature}`,
})

const GET = request(
  "GET",
  "/test.txt",
  signed(
    "host;range;x-amz-content-sha256;x-amz-date",
    "f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41",
    { Range: "bytes=0-9" },
  ),
)
const PRESIGNED = request(
  "GET",
  `/test.txt?X-Amz-Algorithm=AWS4-HMAC-SHA256&X-Amz-Credential=${encodeURIComponent(CREDENTIAL)}&X-Amz-Date=20130524T000000Z&X-Amz-Expires=86400&X-Amz-SignedHeaders=host&X-Amz-Signature=aeeed9bbccd4d02ee5c0109b86d86835f995330da4c265957d157751f604d404`,
  {},
)

const EXAMPLES: readonly (readonly [string, SignableRequest])[] = [
  ["of a GET", GET],
  [
    "of a PUT with a special character in its path",
    request(
      "PUT",
      "/test$file.text",
      signed(
        "date;host;x-amz-content-sha256;x-amz-date;x-amz-storage-class",
        "98ad721746da40c64f1a55b78f14c238d841ea1380cd77a1b5971af0ece108bd",
        { Date: "Fri, 24 May 2013 00:00:00 GMT", "x-amz-storage-class": "REDUCED_REDUNDANCY" },
        "44ce7dd67c959e0d3524ffac1771dfbba87d2b6b4b4e99e42034a8b803f8b072",
      ),
    ),
  ],
  [
    "of a parameter without a value",
    request(
      "GET",
      "/?lifecycle",
      signed(
        "host;x-amz-content-sha256;x-amz-date",
        "fea454ca298b7da1c68078a5d1bdbfbbe0d65c699e0f91ac7a200a0136783543",
        {},
      ),
    ),
  ],
  [
    "of a list",
    request(
      "GET",
      "/?max-keys=2&prefix=J",
      signed(
        "host;x-amz-content-sha256;x-amz-date",
        "34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7",
        {},
      ),
    ),
  ],
  ["of a presigned URL", PRESIGNED],
]

function verify(one: SignableRequest, options: Partial<VerifyOptions> = {}) {
  const given = parseSignature(one)
  if (given === undefined || "version" in given) throw new Error("The request has no signature of version 4.")
  return verifySignature(one, given, { now: NOW, secrets: [SECRET], prefix: "", ...options })
}

const refused = (s3: string) => expect.objectContaining({ context: expect.objectContaining({ s3 }) })

describe("a signature", () => {
  it.each(EXAMPLES)("%s in the documentation of S3 fits", (_, example) => {
    expect(verify(example)).toMatchObject({ scope: "20130524/us-east-1/s3/aws4_request", time: "20130524T000000Z" })
  })

  it.each(EXAMPLES)("%s does not fit another method, path, parameter, host or secret", (_, example) => {
    const others: SignableRequest[] = [
      { ...example, method: "DELETE" },
      { ...example, url: example.url.replace("/", "/x") },
      { ...example, url: `${example.url}${example.url.includes("?") ? "&" : "?"}other=1` },
      { ...example, host: "other.example" },
    ]
    for (const other of others) expect(() => verify(other)).toThrow(refused("SignatureDoesNotMatch"))
    expect(() => verify(example, { secrets: ["other"] })).toThrow(refused("SignatureDoesNotMatch"))
    expect(verify(example, { secrets: ["other", SECRET] }).seed).toHaveLength(64)
  })

  it("fits a path whose start a proxy has added", () => {
    expect(verify({ ...GET, url: `/s3${GET.url}` }, { prefix: "/s3" }).time).toBe("20130524T000000Z")
    expect(() => verify({ ...GET, url: `/s4${GET.url}` }, { prefix: "/s3" })).toThrow(refused("SignatureDoesNotMatch"))
  })

  it("fits a host to which the client has added the start of the path", () => {
    const example = { ...GET, host: "examplebucket.s3", url: `.amazonaws.com${GET.url}` }
    expect(verify(example, { prefix: ".amazonaws.com" }).time).toBe("20130524T000000Z")
  })

  it("is refused if the clocks differ by more than 15 minutes", () => {
    const minutes = (count: number) => () => verify(GET, { now: NOW + count * 60_000 })
    expect(minutes(15)().seed).toBe(minutes(-15)().seed)
    for (const count of [15.1, -15.1]) expect(minutes(count)).toThrow(refused("RequestTimeTooSkewed"))
  })

  it("of a presigned URL is refused after it has expired", () => {
    expect(verify(PRESIGNED, { now: NOW + 86_400_000 }).seed).toHaveLength(64)
    expect(() => verify(PRESIGNED, { now: NOW + 86_401_000 })).toThrow(refused("AccessDenied"))
    expect(() => verify(PRESIGNED, { now: NOW - 16 * 60_000 })).toThrow(refused("RequestTimeTooSkewed"))
    // A server remembers what has expired, and its clock can be set back.
    const ends: number[] = []
    const hasExpired = (_signature: string, end: number) => ends.push(end) > 0
    expect(() => verify(PRESIGNED, { hasExpired })).toThrow(refused("AccessDenied"))
    expect(ends).toEqual([NOW + 86_400_001])
  })
})

describe("what is signed", () => {
  const { rawHeaders } = GET
  const withHeaders = (...more: string[]) => ({ ...GET, rawHeaders: [...rawHeaders, ...more] })
  const authorized = (value: string) => ({
    ...GET,
    rawHeaders: rawHeaders.with(rawHeaders.indexOf("Authorization") + 1, value),
  })
  const given = String(rawHeaders[rawHeaders.indexOf("Authorization") + 1])

  it("is undefined without a signature", () => {
    expect(parseSignature(request("GET", "/", {}))).toBeUndefined()
  })

  it.each([
    ["AccessDenied", withHeaders("x-amz-copy-source", "/a/b")],
    ["AccessDenied", authorized(given.replace("host;", ""))],
    ["AccessDenied", authorized("Bearer assay_x")],
    ["InvalidArgument", withHeaders("X-Amz-Date", "20130524T000000Z")],
    ["InvalidArgument", withHeaders("authorization", given)],
    ["InvalidArgument", withHeaders("content-length", "1", "content-length", "2")],
    ["InvalidArgument", { ...GET, url: "/test.txt?X-Amz-Signature=1" }],
    ["InvalidRequest", authorized("AWS AKIA:sig")],
    ["InvalidRequest", authorized(given.replace("AWS4-HMAC", "AWS4-ECDSA-P256"))],
    ["AuthorizationHeaderMalformed", authorized("AWS4-HMAC-SHA256 nothing")],
    ["AuthorizationHeaderMalformed", authorized(given.replace("/s3/", "/ec2/"))],
    ["AuthorizationHeaderMalformed", authorized(given.replace("20130524", "20130525"))],
    ["AuthorizationHeaderMalformed", authorized(given.slice(0, -1))],
    ["AuthorizationQueryParametersError", { ...PRESIGNED, url: PRESIGNED.url.replace("86400", "604801") }],
    ["AuthorizationQueryParametersError", { ...PRESIGNED, url: `${PRESIGNED.url}&X-Amz-Expires=1` }],
    [
      "MissingSecurityHeader",
      { ...GET, rawHeaders: rawHeaders.map((text) => text.replace("content-sha256", "other")) },
    ],
  ])("is refused with %s if it is wrong", (code, wrong) => {
    expect(() => parseSignature(wrong)).toThrow(refused(code))
  })
})
