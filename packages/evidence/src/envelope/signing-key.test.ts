import { createPublicKey, generateKeyPairSync, verify } from "node:crypto"
import { describe, expect, it } from "vitest"
import { readEnvelope, signEnvelope } from "./dsse-envelope.ts"
import { readPublicKey, readSigningKey } from "./signing-key.ts"

const pemOf = (keys: { readonly privateKey: { export(options: object): unknown } }) =>
  String(keys.privateKey.export({ type: "pkcs8", format: "pem" }))

describe("keys of bundles", () => {
  it.each([
    ["ed25519", generateKeyPairSync("ed25519"), null],
    ["P-256", generateKeyPairSync("ec", { namedCurve: "P-256" }), "sha256"],
    ["P-384", generateKeyPairSync("ec", { namedCurve: "P-384" }), "sha384"],
  ] as const)("sign as DSSE describes it: %s", (_name, keys, digest) => {
    const key = readSigningKey(pemOf(keys), "private.pem")
    const { payload, signature } = readEnvelope(signEnvelope(Buffer.from("{}"), key))
    const message = Buffer.from("DSSEv1 28 application/vnd.in-toto+json 2 {}")
    expect(payload.toString()).toBe("{}")
    expect(verify(digest, message, createPublicKey(keys.privateKey), signature)).toBe(true)
  })

  it("are refused without their text if they can't sign, or are the wrong half", () => {
    const agreeing = pemOf(generateKeyPairSync("x25519"))
    expect(() => readSigningKey(agreeing, "x.pem")).toThrow(/'x.pem' is a key of the type x25519; use Ed25519/)
    expect(() => readSigningKey("-----BEGIN PRIVATE KEY-----\nsecret", "x.pem")).toThrow(
      /^'x.pem' is not a private key/,
    )
    expect(() => readPublicKey(agreeing, "x.pem")).toThrow(
      /is a private key, and a signature is checked with a public one/,
    )
    const curve = pemOf(generateKeyPairSync("ec", { namedCurve: "secp256k1" }))
    expect(() => readSigningKey(curve, "k1.pem")).toThrow(/EC on secp256k1/)
  })
})
