import { verifies } from "@assay/testkit"
import { describe, expect, it } from "vitest"
import { loadSettings } from "../settings/load-settings.ts"
import { createInferencePolicy } from "./inference-policy.ts"

const policyOf = (env: Record<string, string>) =>
  createInferencePolicy(loadSettings({ env, cwd: import.meta.dirname }).settings)

function outcome(check: () => void): string {
  try {
    check()
    return "allowed"
  } catch (error) {
    return (error as { code: string }).code
  }
}

const TOKENS = { ASSAY_AUTH: "tokens" }
const LISTED = { ...TOKENS, ASSAY_ALLOWED_INFERENCE_HOSTS: "localhost:8000, judge.example, 10.1.0.0/16, 169.254.7.7" }
/** A public address, which the tests do not connect to. */
const PUBLIC = "93.184.215.14"
const allowed = "allowed"
const refused = "host_not_allowed"

describe("inference endpoints", () => {
  it.each([
    ["https://api.example/v1", allowed, allowed, allowed],
    [`https://${PUBLIC}/v1`, allowed, allowed, allowed],
    ["http://localhost:8000/v1", allowed, refused, allowed],
    ["http://127.0.0.1:8000/v1/chat/completions", allowed, refused, refused],
    ["http://[::1]:8000", allowed, refused, refused],
    ["http://10.1.2.3", allowed, refused, allowed],
    ["http://192.168.0.1", allowed, refused, refused],
    ["http://169.254.169.254/v1", refused, refused, refused],
    ["http://[fe80::1]/v1", refused, refused, refused],
    ["http://169.254.7.7/v1", allowed, refused, allowed],
    ["https://me:pass@api.example", refused, refused, refused],
    ["api.example", refused, refused, refused],
  ])(
    "are allowed or refused without auth, with auth, and with listed hosts: %s",
    verifies("rails.hosts", "rails.link-local"),
    (url, open, closed, listed) => {
      const listedWithoutAuth = url.includes("169.254.7.7") ? { ...LISTED, ASSAY_AUTH: "off" } : {}
      expect(outcome(() => policyOf(listedWithoutAuth).checkEndpoint(url))).toBe(open)
      expect(outcome(() => policyOf(TOKENS).checkEndpoint(url))).toBe(closed)
      expect(outcome(() => policyOf(LISTED).checkEndpoint(url))).toBe(listed)
    },
  )

  it(
    "are checked again by the address of the connection, to which any name can resolve",
    verifies("rails.hosts", "rails.link-local", "settings.allowed-inference-hosts", "hosts.inference"),
    () => {
      const host = { protocol: "https:", hostname: "judge.example", port: 443 }
      const dial = (env: Record<string, string>, address: string) =>
        outcome(() => policyOf(env).checkAddress(host, address))
      expect(["10.0.0.1", "127.0.0.1", "169.254.169.254"].map((address) => dial({}, address))).toEqual([
        allowed,
        allowed,
        refused,
      ])
      expect([PUBLIC, "10.0.0.1"].map((address) => dial(TOKENS, address))).toEqual([allowed, refused])
      expect(["10.0.0.1", "169.254.169.254"].map((address) => dial(LISTED, address))).toEqual([allowed, refused])
    },
  )

  it("are refused with the name of their own setting", () => {
    expect(() => policyOf(TOKENS).checkEndpoint("http://127.0.0.1")).toThrow("ASSAY_ALLOWED_INFERENCE_HOSTS")
  })
})
