import { connect } from "node:tls"
import { expect, it } from "vitest"
import { startFakeInference } from "../start-fake-inference.ts"
import { createTestCertificates, type TestCertificates } from "./create-test-certificates.ts"

type Kind = Exclude<keyof TestCertificates, "ca">

const certificates = createTestCertificates()

async function handshake(kind: Kind, ca: string | undefined): Promise<string> {
  const server = await startFakeInference({ tls: certificates[kind] })
  const options = { host: "127.0.0.1", port: Number(new URL(server.url).port), ...(ca !== undefined && { ca }) }
  const outcome = await new Promise<string>((resolve) => {
    const socket = connect(options, () => {
      socket.destroy()
      resolve("trusted")
    })
    socket.on("error", (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message))
  })
  await server.close()
  return outcome
}

it.each([
  ["selfSigned", "DEPTH_ZERO_SELF_SIGNED_CERT", "DEPTH_ZERO_SELF_SIGNED_CERT"],
  ["leafOnly", "UNABLE_TO_VERIFY_LEAF_SIGNATURE", "trusted"],
  ["fullChain", "SELF_SIGNED_CERT_IN_CHAIN", "trusted"],
  ["missingIntermediate", "UNABLE_TO_VERIFY_LEAF_SIGNATURE", "UNABLE_TO_VERIFY_LEAF_SIGNATURE"],
  ["expired", "CERT_HAS_EXPIRED", "CERT_HAS_EXPIRED"],
  ["notYetValid", "CERT_NOT_YET_VALID", "CERT_NOT_YET_VALID"],
  ["wrongHost", "UNABLE_TO_VERIFY_LEAF_SIGNATURE", "ERR_TLS_CERT_ALTNAME_INVALID"],
] as const)("%s is %s, and %s if its authority is trusted", async (kind, withoutAuthority, withAuthority) => {
  expect(await handshake(kind, undefined)).toBe(withoutAuthority)
  expect(await handshake(kind, certificates.ca)).toBe(withAuthority)
})
