import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject, X509Certificate } from "node:crypto"
import { describe, expect, it } from "vitest"
import * as fc from "fast-check"
import { parseTrustedKeys, type TrustedKeys } from "./keys/trusted-keys.ts"
import { signFiles } from "./sign-files.ts"
import { CERTIFICATES, SIGNER_KEY } from "./testing/certificates.ts"
import { createModelFiles, type ModelFiles } from "./testing/model-files.ts"
import { openSignature, verifyFiles } from "./verify-files.ts"

const newKey = (namedCurve: string) => generateKeyPairSync("ec", { namedCurve }).privateKey
const key = newKey("P-256")

function trust(...keys: readonly KeyObject[]): TrustedKeys {
  const pem = (one: KeyObject) => createPublicKey(one).export({ type: "spki", format: "pem" }).toString()
  return parseTrustedKeys(new Map(keys.map((one, index) => [`${index}.pem`, pem(one)])))
}

async function sign({ storage }: ModelFiles, by = key, certificates: readonly X509Certificate[] = []) {
  const { signature } = await signFiles({ storage, name: "tiny", key: by, certificates, ignored: ["model.sig"] })
  return Buffer.from(signature)
}

async function differencesOf({ storage }: ModelFiles, signature: Uint8Array) {
  const opened = openSignature(signature, trust(key))
  if (opened === undefined) throw new Error("not trusted")
  return (await verifyFiles({ storage, manifest: opened.manifest, own: "model.sig" })).differing
}

describe("a signed model", () => {
  it("is the same until a file changes, goes or comes", async () => {
    using files = createModelFiles()
    const signature = await sign(files)
    files.write("model.sig", signature.toString())
    files.write(".gitattributes", "* -text")
    expect(await differencesOf(files, signature)).toEqual([])
    files.write("model.safetensors", "Weights")
    files.write("extra.py", "import os")
    files.remove("config.json")
    expect(await differencesOf(files, signature)).toEqual([
      { path: "config.json", fault: "missing" },
      { path: "extra.py", fault: "unsigned" },
      { path: "model.safetensors", fault: "changed" },
    ])
  })

  it("is trusted with the key on any of the three curves, and not with another one", async () => {
    using files = createModelFiles()
    for (const curve of ["P-256", "P-384", "P-521"]) {
      const own = newKey(curve)
      const signature = await sign(files, own)
      expect(openSignature(signature, trust(key, own))?.signer).toBe("1.pem")
      expect(openSignature(signature, trust(key))).toBeUndefined()
    }
  })

  it("is trusted with the root of the certificates of its key", async () => {
    using files = createModelFiles()
    const chain = [CERTIFICATES.signer, CERTIFICATES.middle].map((pem) => new X509Certificate(pem))
    const signature = await sign(files, createPrivateKey(SIGNER_KEY), chain)
    const roots = parseTrustedKeys(new Map([["root.pem", CERTIFICATES.root]]))
    expect(openSignature(signature, roots)?.signer).toBe("CN=model-signing, O=Example")
    expect(openSignature(signature, trust(key))).toBeUndefined()
    await expect(sign(files, key, chain)).rejects.toThrow("does not belong to the first certificate")
  })

  it("is never read as another model, whichever byte of its signature changes", async () => {
    using files = createModelFiles()
    const signature = await sign(files)
    const signed = openSignature(signature, trust(key))
    const byte = fc.tuple(fc.nat(signature.length - 1), fc.integer({ min: 1, max: 255 }))
    const outcomes = { same: 0, refused: 0 }
    const check = ([at, change]: readonly [number, number]) => {
      const changed = Buffer.from(signature)
      changed[at] = (changed[at] ?? 0) ^ change
      try {
        const opened = openSignature(changed, trust(key))
        if (opened !== undefined) expect(opened).toEqual(signed)
        outcomes[opened === undefined ? "refused" : "same"] += 1
      } catch (error) {
        expect(error).toMatchObject({ code: "bad_signature" })
        outcomes.refused += 1
      }
    }
    fc.assert(fc.property(byte, check), { numRuns: 500 })
    expect(outcomes.refused).toBeGreaterThan(400)
  })

  it("is refused at once if its signature is large and names no key, whichever keys are trusted", async () => {
    using files = createModelFiles()
    const signed = JSON.parse((await sign(files)).toString()) as { dsseEnvelope: object; verificationMaterial: object }
    const payload = Buffer.alloc(1_048_577, 32).toString("base64")
    const large = (hint: string | undefined) => {
      const { verificationMaterial, dsseEnvelope } = signed
      const changed = { ...signed, dsseEnvelope: { ...dsseEnvelope, payload } }
      return Buffer.from(
        JSON.stringify({ ...changed, verificationMaterial: { ...verificationMaterial, publicKey: { hint } } }),
      )
    }
    expect(() => openSignature(large(undefined), trust(key))).toThrow("names no key, and has more than 1048576 bytes")
    expect(openSignature(large("0".repeat(64)), trust(key))).toBeUndefined()
  })

  it("can't be signed with a key that other programs do not verify, or without files", async () => {
    using files = createModelFiles()
    await expect(sign(files, generateKeyPairSync("ed25519").privateKey)).rejects.toThrow("of the kind 'ed25519'")
    await expect(sign(files, newKey("secp256k1"))).rejects.toThrow("of the kind 'secp256k1'")
    for (const name of ["config.json", "model.safetensors", "tokenizer.json"]) files.remove(name)
    await expect(sign(files)).rejects.toThrow("has no file that could be signed")
  })
})

describe("trusted keys", () => {
  it("are public keys and certificates, and nothing else", () => {
    const read = (text: string) => () => parseTrustedKeys(new Map([["key.pem", text]]))
    const secret = key.export({ type: "pkcs8", format: "pem" }).toString()
    expect(read(secret)).toThrow("'key.pem' is a private key")
    expect(read("hello")).toThrow("has no PEM block")
    const ed25519 = generateKeyPairSync("ed25519").publicKey.export({ type: "spki", format: "pem" }).toString()
    expect(read(ed25519)).toThrow("of the kind 'ed25519'")
    expect(
      parseTrustedKeys(
        new Map([
          ["a.pem", ed25519],
          ["root.pem", CERTIFICATES.root],
        ]),
      ),
    ).toMatchObject({ keys: [] })
    expect(read("-----BEGIN PUBLIC KEY-----\nAAAA\n-----END PUBLIC KEY-----")).toThrow("can't be read")
  })
})
