import { X509Certificate } from "node:crypto"
import { describe, expect, it } from "vitest"
import { CERTIFICATES } from "../testing/certificates.ts"
import { verifyChain } from "./certificate-chain.ts"

type Name = keyof typeof CERTIFICATES

function subjectOf(chain: readonly Name[], roots: readonly Name[]): string | undefined {
  const read = (name: Name) => new X509Certificate(CERTIFICATES[name])
  return verifyChain(
    chain.map((name) => Buffer.from(read(name).raw)),
    roots.map(read),
  )?.subject
}

describe("a chain of certificates", () => {
  it("leads from the signer through an intermediate certificate to a trusted root", () => {
    expect(subjectOf(["signer", "middle"], ["other", "root"])).toBe("CN=model-signing, O=Example")
    expect(subjectOf(["signer", "cipher", "middle", "root"], ["root"])).toBe("CN=model-signing, O=Example")
    expect(subjectOf(["signer"], ["middle"])).toBe("CN=model-signing, O=Example")
  })

  it("is not trusted if it ends elsewhere, or a certificate is missing", () => {
    expect(subjectOf(["signer", "middle"], ["other"])).toBeUndefined()
    expect(subjectOf(["signer"], ["root"])).toBeUndefined()
    expect(subjectOf(["signer", "middle"], [])).toBeUndefined()
    expect(
      subjectOf(
        ["root", "root", "root"].map(() => "plain" as const),
        ["other"],
      ),
    ).toBeUndefined()
  })

  it("is not trusted if a certificate was issued by one that must not issue it", () => {
    expect(subjectOf(["below", "plain"], ["root"])).toBeUndefined()
    expect(subjectOf(["deep", "low", "middle"], ["root"])).toBeUndefined()
  })

  it("is refused if the signer's certificate is not for signatures", () => {
    expect(() => subjectOf(["cipher", "middle"], ["root"])).toThrow("for other uses than signing")
    expect(() => verifyChain([Buffer.from("no certificate")], [])).toThrow("can't be read")
    expect(() => verifyChain([], [])).toThrow("has no certificate")
  })
})
